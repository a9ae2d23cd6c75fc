/**
 * The request is usually in the first or last sentence, and pasted text between them can be long. `shape` contains
 * features that are not words, such as the length.
 */
export const zones = ['first', 'middle', 'last', 'shape'] as const;

/** The last sentence may be empty. */
export interface Division {
  firstEnd: number;
  lastStart: number;
  end: number;
}

const shortestSentence = 12;
const longestFirst = 160;
const longestLast = 200;

export function divide(text: string): Division {
  const end = text.trimEnd().length;
  const firstEnd = findFirstEnd(text, end);
  // A last line of code does not contain the request.
  if (end > 0 && '{};`>]|,='.includes(text.charAt(end - 1))) return { firstEnd, lastStart: end, end };
  return { firstEnd, lastStart: Math.max(firstEnd, findLastStart(text, end)), end };
}

function findFirstEnd(text: string, end: number): number {
  const limit = Math.min(end, longestFirst);
  for (let index = shortestSentence; index < limit; index++) {
    if (isStop(text.charCodeAt(index), text.charCodeAt(index + 1))) return index + 1;
  }
  if (limit === end) return end;
  const space = text.lastIndexOf(' ', limit);
  return space > limit / 2 ? space : limit;
}

function findLastStart(text: string, end: number): number {
  const limit = Math.max(0, end - longestLast);
  for (let index = end - shortestSentence; index > limit; index--) {
    if (isStop(text.charCodeAt(index - 1), text.charCodeAt(index))) return index;
  }
  if (limit === 0) return end;
  const space = text.indexOf(' ', limit);
  return space !== -1 && space < end - longestLast / 2 ? space : limit;
}

const newline = 0x0a;
const fullStops = new Set(Array.from('\u3002\uff1f\uff01\u0964', (stop) => stop.charCodeAt(0)));
const stopsBeforeGap = new Set(Array.from('.?!:\u061f', (stop) => stop.charCodeAt(0)));

function isStop(code: number, next: number): boolean {
  if (code === newline || fullStops.has(code)) return true;
  return stopsBeforeGap.has(code) && !(next > 0x20);
}
