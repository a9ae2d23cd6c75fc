/** A name of the API for people: `off_topic` reads `Off topic`. */
export function formatLabel(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The first characters of a label, with an ellipsis where it was cut. */
export function cutLabel(label: string, characterLimit: number): string {
  const characters = [...label];
  return characters.length > characterLimit ? `${characters.slice(0, characterLimit).join('')}…` : label;
}
