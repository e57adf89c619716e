/** The list of codes with rows of the person's list. */

import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { withRows } from '../../src/site/jobs/manifest-rows.js';

const LIST = 'index,data,name\r\n0,a,a.png\r\n0,a,a.svg\r\n1,"b\r\n7,""",b.png\r\n2,č,c.png\r\n3,d,d.png\r\n';
const NAMED =
  'row,index,data,name\r\n2,0,a,a.png\r\n2,0,a,a.svg\r\n4,1,"b\r\n7,""",b.png\r\n5,2,č,c.png\r\n,3,d,d.png\r\n';

it('names the row of each code, wherever the list is cut, and none that is not known', async () => {
  const places = {
    unit: 'row',
    runs: [
      [2, 1],
      [4, 2],
    ],
  } as const;
  const bytes = Buffer.from(LIST);
  for (const length of [1, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
      bytes.subarray(at * length, (at + 1) * length),
    );
    expect(await text(Readable.from(withRows(Readable.from(pieces), places)))).toBe(NAMED);
  }
});
