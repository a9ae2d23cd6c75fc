export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Formats an API name as a label: `off_topic` becomes `Off topic`. */
export const formatLabel = (name: string): string => capitalize(name.replaceAll('_', ' '));

export function cutLabel(label: string, characterLimit: number): string {
  const characters = [...label];
  return characters.length > characterLimit ? `${characters.slice(0, characterLimit).join('')}…` : label;
}

/**
 * Returns the full text of a label that `cutLabel` truncates, or its last `wholeMax` characters. Returns an empty
 * string for a short label.
 */
export function wholeOfLabel(label: string, characterLimit: number, wholeMax: number): string {
  const characters = [...label];
  if (characters.length <= characterLimit) return '';
  return characters.length <= wholeMax ? label : `…${characters.slice(1 - wholeMax).join('')}`;
}
