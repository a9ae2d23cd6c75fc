/** Formats an API name as a label: `off_topic` becomes `Off topic`. */
export function formatLabel(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Truncates a label with an ellipsis. */
export function cutLabel(label: string, characterLimit: number): string {
  const characters = [...label];
  return characters.length > characterLimit ? `${characters.slice(0, characterLimit).join('')}…` : label;
}
