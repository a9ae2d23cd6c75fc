/** A piece of a line. Links and images keep their address as text: nothing is followed or loaded. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly children: readonly Inline[] }
  | { readonly kind: 'link' | 'image'; readonly text: string; readonly address: string };

const linkOrImage = /(!?)\[([^[\]\n]{0,300})\]\(([^()\s]{1,2000})\)/y;
const marks = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['*', 'emphasis'],
] as const;

/** Reads a line in time that grows with its length: a mark without its end is looked for once. */
export function parseInlines(line: string): readonly Inline[] {
  const inlines: Inline[] = [];
  const unclosed = new Set<string>();
  let text = '';
  let at = 0;
  while (at < line.length) {
    const found = readCode(line, at, unclosed) ?? readLink(line, at) ?? readMarked(line, at, unclosed);
    if (found === null) {
      text += line.charAt(at);
      at += 1;
      continue;
    }
    if (text !== '') inlines.push({ kind: 'text', text });
    text = '';
    inlines.push(found.inline);
    at = found.end;
  }
  if (text !== '') inlines.push({ kind: 'text', text });
  return inlines;
}

interface Found {
  readonly inline: Inline;
  readonly end: number;
}

function readCode(line: string, at: number, unclosed: Set<string>): Found | null {
  if (line.charAt(at) !== '`') return null;
  const mark = line.startsWith('``', at) ? '``' : '`';
  const close = findClose(line, mark, at + mark.length, unclosed);
  if (close === -1) return null;
  return { inline: { kind: 'code', text: line.slice(at + mark.length, close) }, end: close + mark.length };
}

function readLink(line: string, at: number): Found | null {
  if (line.charAt(at) !== '[' && line.charAt(at) !== '!') return null;
  linkOrImage.lastIndex = at;
  const [whole = '', bang, text = '', address = ''] = linkOrImage.exec(line) ?? [];
  if (whole === '') return null;
  return { inline: { kind: bang ? 'image' : 'link', text, address }, end: at + whole.length };
}

function readMarked(line: string, at: number, unclosed: Set<string>): Found | null {
  const [mark, kind] = marks.find(([one]) => line.startsWith(one, at)) ?? [];
  if (mark === undefined || /\s|^$/.test(line.charAt(at + mark.length))) return null;
  const close = findClose(line, mark, at + mark.length, unclosed);
  if (close <= at + mark.length) return null;
  const children = parseInlines(line.slice(at + mark.length, close));
  return { inline: { kind, children }, end: close + mark.length };
}

function findClose(line: string, mark: string, from: number, unclosed: Set<string>): number {
  if (unclosed.has(mark)) return -1;
  const close = line.indexOf(mark, from);
  if (close === -1) unclosed.add(mark);
  return close;
}
