/** Returns how well a text matches: 0 for no match, 3 for a match at its start. Every typed word must occur. */
export function rank(text: string, typed: string): number {
  const place = text.toLowerCase();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return 1;
  return Math.min(...words.map((word) => rankWord(place, word)));
}

function rankWord(place: string, word: string): number {
  const at = place.indexOf(word);
  if (at === -1) return 0;
  if (at === 0) return 3;
  return place.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word)) ? 2 : 1;
}
