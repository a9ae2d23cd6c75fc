/** Returns a LIKE pattern for values that contain the text. `%`, `_` and `\` match literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** Converts a glob to a LIKE pattern. `*` matches any characters. */
export function globPattern(glob: string): string {
  return glob.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}
