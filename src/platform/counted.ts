/** Numbers with the noun that they count: “1 second”, “2 seconds”. */

/** Digits in groups of three: “1,000”. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}

/** @param format writes the number */
export function counted(count: number, noun: string, format: (count: number) => string = String): string {
  return `${format(count)} ${noun}${count === 1 ? '' : 's'}`;
}
