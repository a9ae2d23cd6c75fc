/** Removes the default tag of a name: every model of Ollama has a tag, and this is the one without. */
export function withoutTag(name: string): string {
  return name.replace(/:latest$/, '');
}
