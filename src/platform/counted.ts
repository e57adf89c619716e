/** Numbers with the noun that they count: “1 second”, “2 seconds”. */

/** @param format writes the number */
export function counted(count: number, noun: string, format: (count: number) => string = String): string {
  return `${format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
