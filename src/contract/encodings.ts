/** Encodings that a person can choose for a CSV file, by their labels in the Encoding Standard; the last two are of files in UTF-8, and the last one is our own. */
export const ENCODINGS = {
  'windows-1250': 'Central European (Windows-1250)',
  'iso-8859-2': 'Central European (ISO-8859-2)',
  'windows-1252': 'Western European (Windows-1252)',
  'iso-8859-15': 'Western European (ISO-8859-15)',
  macintosh: 'Western European (Mac)',
  'windows-1251': 'Cyrillic (Windows-1251)',
  'koi8-u': 'Cyrillic (KOI8)',
  ibm866: 'Cyrillic (DOS)',
  'windows-1257': 'Baltic (Windows-1257)',
  'windows-1254': 'Turkish (Windows-1254)',
  'windows-1253': 'Greek (Windows-1253)',
  'windows-1255': 'Hebrew (Windows-1255)',
  'windows-1256': 'Arabic (Windows-1256)',
  'windows-1258': 'Vietnamese (Windows-1258)',
  'windows-874': 'Thai (Windows-874)',
  shift_jis: 'Japanese (Shift JIS)',
  'euc-jp': 'Japanese (EUC)',
  gb18030: 'Chinese, simplified (GB 18030)',
  big5: 'Chinese, traditional (Big5)',
  'euc-kr': 'Korean (EUC)',
  'utf-8': 'UTF-8',
  'utf-8-twice': 'UTF-8, encoded twice: Müller for MÃ¼ller',
} as const;

/** At the start of a file it says UTF-8, which Excel does not take for granted. */
export const BYTE_ORDER_MARK = '\uFEFF';
