export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Formats an API name as a label: `off_topic` becomes `Off topic`. */
export const formatLabel = (name: string): string => capitalize(name.replaceAll('_', ' '));

/** Truncates a label with an ellipsis. */
export function cutLabel(label: string, characterLimit: number): string {
  const characters = [...label];
  return characters.length > characterLimit ? `${characters.slice(0, characterLimit).join('')}…` : label;
}

const leastTail = 8;

/** Returns the last words of a label that `cutLabel` truncates: at least what is cut off; empty for a short label. */
export function tailOfLabel(label: string, characterLimit: number): string {
  const cutOff = [...label].length - characterLimit;
  if (cutOff <= 0) return '';
  const words = label.split(/(?<=[-\s])/);
  const starts = words.map((_, index) => words.slice(index).join(''));
  const tail = starts.findLast((text) => [...text].length >= Math.max(cutOff, leastTail)) ?? label;
  return tail === label ? label : `…${tail}`;
}
