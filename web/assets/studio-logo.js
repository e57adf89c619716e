/** A logo of any kind that the browser can show, as a PNG file that the service takes. */

/** Longest edge of a converted picture, in pixels: more than a logo has in any code. */
const LONGEST_PX = 1024;

/** The largest PNG that the service reads, in pixels. */
const MOST_PX = 4096;

/** A logo is searched in so many pixels at each edge for one that can be seen. */
const SEARCHED_PX = 256;

/** A colour is not seen on one that differs by less than this, of 255. */
const LEAST_DIFFERENCE = 26;

/** What a drawing shows of other files. Those within it stand as `data:` or `#`. */
const LINKING = 'image, feImage, use';
/** An address in a style. */
const ADDRESS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"')\s]+))|@import\s*(?:"([^"]*)"|'([^']*)')/gi;
const XLINK = 'http://www.w3.org/1999/xlink';

/** The type of the last chunk of a PNG file. */
const IEND = 0x49_45_4e_44;

const PNG = 0x89_50_4e_47;

/** Markers of a JPEG (ITU-T T.81, table B.1). Behind that of the start stands another. */
const [SOI, SOS, EOI] = [0xff_d8_ff, 0xff_da, 0xff_d9];

/**
 * A PNG that fits as it is, others converted, with a sentence that says so; no file where the browser cannot read it.
 * `showsOn` tells whether the picture can be seen on a colour.
 * @param {File} file
 * @param {number} limitBytes
 */
export async function asPng(file, limitBytes) {
  const bytes = new DataView(await file.arrayBuffer());
  const start = bytes.byteLength < 4 ? 0 : bytes.getUint32(0);
  const isPng = start === PNG;
  if ((isPng && !isWhole(bytes)) || (start >>> 8 === SOI && !isWholeJpeg(bytes))) {
    return { file: undefined, notice: 'The end of this picture is missing. Save it again, and choose that file.' };
  }
  const url = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const shown = new Map();
    const showsOn = (colour) => {
      const isSeen = shown.get(colour) ?? isSeenOn(colour, image);
      shown.set(colour, isSeen);
      return isSeen;
    };
    if (isPng && file.size <= limitBytes && Math.max(width, height) <= MOST_PX) {
      return { file, notice: '', showsOn };
    }
    const isDrawing = file.type === 'image/svg+xml';
    const problem = isDrawing ? problemOf(await file.text()) : '';
    if (problem) return { file: undefined, notice: `The drawing ${problem}, or save the logo as PNG.` };
    const converted = await shrunk(
      image,
      isDrawing ? LONGEST_PX : Math.min(LONGEST_PX, Math.max(width, height)),
      limitBytes,
    );
    const notice = isPng ? 'The logo was too large and is now smaller.' : 'The logo was converted to PNG.';
    return {
      // Its person knows it by this name.
      file: new File([converted], file.name, { type: 'image/png', lastModified: file.lastModified }),
      notice,
      showsOn,
    };
  } catch {
    return { file: undefined, notice: 'This file cannot be read as a picture. Choose a PNG, JPEG, WebP or SVG file.' };
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** True where a PNG has its last chunk (PNG, third edition, 5.3). @param {DataView} png */
function isWhole(png) {
  for (let at = 8; at + 12 <= png.byteLength; at += 12 + png.getUint32(at)) {
    if (png.getUint32(at + 4) === IEND) return true;
  }
  return false;
}

/** True where a JPEG has its end. Pictures in its header have their own ends. @param {DataView} jpeg */
function isWholeJpeg(jpeg) {
  let at = 2;
  while (at + 4 < jpeg.byteLength && jpeg.getUint16(at) !== SOS) {
    // Any number of FF bytes may stand before a marker.
    at += jpeg.getUint16(at) === 0xff_ff ? 1 : 2 + jpeg.getUint16(at + 2);
  }
  for (; at + 2 <= jpeg.byteLength; at += 1) if (jpeg.getUint16(at) === EOI) return true;
  return false;
}

/** Why browsers show a drawing otherwise than it is meant. @param {string} svg */
function problemOf(svg) {
  // Styles have another name here: browsers complain of those that the policy of the page forbids.
  const renamed = svg.replaceAll(/\bstyle(?=[\s=>])/g, 'styles');
  const drawing = new DOMParser().parseFromString(renamed, 'image/svg+xml');
  const parts = [...drawing.querySelectorAll(LINKING)];
  const isOut = (link) => !/^\s*(?:data:|#|$)/i.test(link);
  if (!drawing.querySelector(':root:is([viewBox], [width])')) return 'has no size. Save it with one';
  return parts.some((part) => isOut(part.getAttribute('href') ?? part.getAttributeNS(XLINK, 'href') ?? '')) ||
    [...drawing.querySelectorAll('*')].some((part) => stylesOf(part).some(isOut))
    ? 'links to another file, which is missing. Embed that one'
    : '';
}

/** The addresses in the styles of a part of a drawing. @param {Element} part */
function stylesOf(part) {
  const isSheet = part.localName === 'styles';
  const texts = [...[...part.attributes].map(({ value }) => value), isSheet ? (part.textContent ?? '') : ''];
  return texts.flatMap((text) =>
    [...text.replaceAll(/\/\*.*?\*\//gs, '').matchAll(ADDRESS)].map(([, ...found]) => found.join('')),
  );
}

/**
 * @param {string} colour
 * @param {HTMLImageElement} image
 */
function isSeenOn(colour, image) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SEARCHED_PX;
  const context = canvas.getContext('2d');
  if (!context) return true;
  context.fillStyle = colour;
  context.fillRect(0, 0, SEARCHED_PX, SEARCHED_PX);
  const ground = context.getImageData(0, 0, 1, 1).data;
  context.drawImage(image, 0, 0, SEARCHED_PX, SEARCHED_PX);
  const { data } = context.getImageData(0, 0, SEARCHED_PX, SEARCHED_PX);
  return data.some((value, at) => Math.abs(value - (ground[at % 4] ?? 0)) >= LEAST_DIFFERENCE);
}

/**
 * @param {HTMLImageElement} image
 * @param {number} longestPx
 * @param {number} limitBytes
 */
async function shrunk(image, longestPx, limitBytes) {
  const { naturalWidth: width, naturalHeight: height } = image;
  for (let longest = longestPx; ; longest *= 0.7) {
    const canvas = document.createElement('canvas');
    const factor = longest / Math.max(width, height);
    canvas.width = Math.max(1, Math.round(width * factor));
    canvas.height = Math.max(1, Math.round(height * factor));
    const context = canvas.getContext('2d');
    if (!context) throw new Error('The browser cannot draw');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (!(blob instanceof Blob)) throw new Error('The browser cannot draw');
    if (blob.size <= limitBytes) return blob;
  }
}
