/** Every model there has a tag; who names none means this one. */
export function withoutTag(name: string): string {
  return name.replace(/:latest$/, '');
}
