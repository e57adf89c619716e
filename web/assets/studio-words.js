/** Words of the choices for a file: those of the page without scripts. */

import { form } from './studio-form.js';

export const words = JSON.parse(form.dataset.words ?? '');
