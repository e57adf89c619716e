/** Words of choices and of buttons, which the page has. */

import { form } from './studio-form.js';

export const words = JSON.parse(form.dataset.words ?? '');
