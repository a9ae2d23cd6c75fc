import fc from 'fast-check';
import { expect, it } from 'vitest';
import { heavyPayloads } from '../../../../e2e/hostile-markdown.ts';
import { type MarkdownNode, parseMarkdown } from './parse-markdown.ts';

function outline({ type, tag, text, info, children }: MarkdownNode): unknown {
  if (type === 'text' || type === 'text_special') return text;
  if (type === 'softbreak' || type === 'hardbreak') return '\n';
  if (type === 'code_inline' || type === 'fence' || type === 'code_block')
    return { [`code ${info}`.trim()]: text };
  return [type === 'tight' ? type : tag, ...children.map(outline)];
}

const outlineOf = (text: string) =>
  parseMarkdown(text).blocks.map(({ node, source }) => (node ? outline(node) : source));

const visibleText = (text: string) => {
  const textOf = (node: MarkdownNode): string =>
    `${node.text} ${node.info} ${node.children.map(textOf).join('')}`;
  return parseMarkdown(text)
    .blocks.map(({ node, source }) => (node ? textOf(node) : source))
    .join('\n');
};

it.each<[rule: string, text: string, expected: unknown[]]>([
  [
    'headings of both kinds',
    '# One\n\nTwo\n---',
    [
      ['h1', 'One'],
      ['h2', 'Two'],
    ],
  ],
  ['line breaks inside a paragraph', 'a\nb', [['p', 'a', '\n', 'b']]],
  ['emphasis around code', 'a **`b`** c', [['p', 'a ', ['strong', { code: 'b' }], ' c']]],
  ['no emphasis inside words with underscores', 'snake_case_name', [['p', 'snake_case_name']]],
  ['nested emphasis', '***a** b*', [['p', ['em', ['strong', 'a'], ' b']]]],
  ['strikethrough', '~~a~~', [['p', ['s', 'a']]]],
  ['escapes', '\\*a\\* \\`b\\`', [['p', '*a* `b`']]],
  ['entities', '&lt;b&gt; &amp;', [['p', '<b> &']]],
  ['HTML as text', '<b>a</b>', [['p', '<b>a</b>']]],
  ['longer fences around fences', '````md\n```\na\n```\n````', [{ 'code md': '```\na\n```\n' }]],
  ['fences without an end', '```ts\nlet x', [{ 'code ts': 'let x' }]],
  ['code inside list items', '- a\n\n  ```\n  b\n  ```', [['ul', ['li', ['p', 'a'], { code: 'b\n' }]]]],
  ['nested lists', '- a\n  1. b', [['ul', ['li', ['tight', 'a'], ['ol', ['li', ['tight', 'b']]]]]]],
  ['quotes with lists', '> - a', [['blockquote', ['ul', ['li', ['tight', 'a']]]]]],
  [
    'pipes in table cells',
    '| a | b |\n|---|---|\n| `x \\|\\| y` | 2 |',
    [
      [
        'table',
        ['thead', ['tr', ['th', 'a'], ['th', 'b']]],
        ['tbody', ['tr', ['td', { code: 'x || y' }], ['td', '2']]],
      ],
    ],
  ],
  ['reference links', '[a][b]\n\n[b]: https://c.test', [['p', ['a', 'a']]]],
  ['bare URLs', 'see https://c.test.', [['p', 'see ', ['a', 'https://c.test'], '.']]],
])('parseMarkdown parses %s', (_, text, expected) => {
  expect(outlineOf(text)).toEqual(expected);
});

it('parseMarkdown leaves links to scripts as text', () => {
  expect(outlineOf('[a](javascript:alert(1))')).toEqual([['p', '[a](javascript:alert(1))']]);
});

it.each([
  ['an unbreakable word', 'a'.repeat(5_000)],
  ['thousands of marks that are never closed', '[ '.repeat(6_000)],
  ['thousands of invisible characters', '\u202e'.repeat(3_000)],
  ['deep nesting', `${'> '.repeat(200)}end`],
  ['thousands of list items', '- a\n'.repeat(6_000)],
])('parseMarkdown keeps the formatting of other blocks next to %s', (_, hard) => {
  const { blocks } = parseMarkdown(`# Title\n\n${hard}\n\nLast **word**`);
  expect(blocks[0]?.node).toMatchObject({ tag: 'h1' });
  expect(outline(blocks.at(-1)?.node as MarkdownNode)).toEqual(['p', 'Last ', ['strong', 'word']]);
  expect(visibleText(hard)).toContain(hard.trim().slice(-3));
});

it('parseMarkdown shows everything after 20,000 elements as one plain block', () => {
  const text = 'a\n\n'.repeat(30_000);
  const { blocks } = parseMarkdown(text);
  expect(blocks.at(-1)?.node).toBeNull();
  expect(
    blocks
      .map(({ source }) => source)
      .join('')
      .match(/a/g),
  ).toHaveLength(30_000);
});

// GFM drops cells beyond the columns of the header, so the generated rows have no such cells.
it('parseMarkdown loses no word of any text', () => {
  const pieces = [
    'word',
    '**',
    '*',
    '_',
    '`',
    '```\n',
    '\n',
    '\n\n',
    '- ',
    '1. ',
    '> ',
    '# ',
    ' |\n|-|\n',
    '~~',
    '    ',
    '<b>',
    '\\',
    '!',
    ' ',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      expect(visibleText(text).match(/word/g)?.length ?? 0).toBe(text.match(/word/g)?.length ?? 0);
    }),
    { numRuns: 2_000 },
  );
});

it('parseMarkdown takes at most 400 ms, or six times as long as for one half, for each hostile text', () => {
  for (const text of heavyPayloads) {
    const half = measureMs(() => parseMarkdown(text.slice(0, text.length / 2)));
    const whole = measureMs(() => parseMarkdown(text));
    expect(whole, text.slice(0, 20)).toBeLessThan(Math.max(400, half * 6));
  }
});

/** Returns the CPU time in milliseconds, which other processes do not affect. */
function measureMs(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  return process.threadCpuUsage(before).user / 1_000;
}
