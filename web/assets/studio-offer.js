/** The offer of a list that was not made: to go on with it, or to give it up. */

import { boxOf, element } from './elements.js';
import { ask, times } from './prepare.js';
import { takeLook } from './studio-draft.js';
import { counted, form, note, plainButton } from './studio-form.js';
import { FILES, forget, hasLines, key, put } from './studio-unfinished.js';

/**
 * Says in `offer` what becomes of the list, and has its buttons. `isOwn`: the tab has the list. `texts` are the draft and its files, behind
 * their places.
 */
export function fillOffer(offer, { draft, isOwn, texts, hasOther, drop, job }) {
  const goOn = () => {
    drop();
    for (const [place, text] of texts) put(sessionStorage, place, text);
    // The draft is that of another showing of the page.
    history.replaceState({}, '');
    location.assign(key);
  };
  const startOver = plainButton('Start over', () =>
    ask(`Start over? ${nameOf(draft)} is lost.`, 'Start over', () => {
      forget(draft.id);
      if (isOwn) for (const place of [key, ...FILES]) sessionStorage.removeItem(place);
      offer.remove();
    }),
  );
  const makeAgain = plainButton(`Make “${job?.name}” again`, () => {
    makeAgain.remove();
    job?.take();
  });
  offer.className = 'note stack';
  const row = boxOf(
    'row',
    plainButton('Continue', () =>
      hasOther() ? ask('Continue? What you added here since is lost.', 'Continue', goOn) : goOn(),
    ),
    job ? makeAgain : startOver,
  );
  offer.append(
    element(
      'p',
      `${nameOf(draft)} of ${times.format(draft.at)} is not made yet. ${
        job
          ? `If you make “${job.name}” again and change it, it takes the place of this list.`
          : 'If you begin another list, it takes its place.'
      }`,
    ),
    row,
  );
}

/** Offers the look that was changed beside the list of this page. */
export function offerLook() {
  const box = note('', 'You changed a look, too, while this list was not there.');
  box.append(plainButton('Use that look', takeLook));
  form.before(box);
}

/** Such as `Your list “guests.xlsx” (200 codes)`. */
function nameOf(draft) {
  const { files, codes } = draft;
  const { file: list, job } = files.find(({ name }) => name === 'file') ?? {};
  const what = job ? `list of “${job}”` : list ? `list “${list}”` : hasLines(draft) ? 'list' : 'look';
  return `Your ${what}${codes > 0 ? ` (${counted(codes, 'code', 'codes')})` : ''}`;
}
