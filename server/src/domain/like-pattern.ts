/** Returns a LIKE pattern for texts that contain the given one; `%`, `_` and `\` match literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Returns a LIKE pattern for a glob, whose `*` matches any characters. */
export function globPattern(glob: string): string {
  return glob.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}
