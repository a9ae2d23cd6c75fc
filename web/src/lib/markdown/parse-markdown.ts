import MarkdownIt, { type Token } from 'markdown-it';

export interface MarkdownNode {
  /** Token type of markdown-it without `_open`, for example `paragraph`, `list_item`, `text` or `fence`. */
  readonly type: string;
  /** Empty for text. */
  readonly tag: string;
  readonly text: string;
  /** Text after the opening fence of a code block, usually its language. */
  readonly info: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly MarkdownNode[];
}

/** Top-level block and its source text. Blocks with the same source need not render again. */
export interface MarkdownBlock {
  readonly source: string;
  /** `null` if the block is too large to format. */
  readonly node: MarkdownNode | null;
}

export interface ParsedMarkdown {
  readonly blocks: readonly MarkdownBlock[];
  /** Number of link reference definitions. A new definition may turn text of an earlier block into a link. */
  readonly referenceCount: number;
}

const nestingMax = 40;
const tokensPerBlockMax = 5_000;
const tokensMax = 20_000;
/**
 * Maximum word length in characters. The time that browsers need to break a word grows with the square of its length.
 */
const wordMax = 4_000;
const unbreakableWord = new RegExp(`\\S{${wordMax}}`);
/** Maximum number of invisible characters, such as bidirectional controls, which are slow to lay out. */
const invisibleMax = 2_000;
/**
 * Maximum number of characters that can open inline markup. Parsing time is superlinear in the number of unclosed
 * marks.
 */
const marksMax = 5_000;

const parser = new MarkdownIt({ html: false, linkify: true });
Object.assign(parser.options, { maxNesting: nestingMax });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
parser.core.ruler.at('inline', ({ tokens, md, env, Token: TokenClass }) => {
  for (const token of tokens) {
    if (token.type !== 'inline') continue;
    token.children ??= [];
    if (!isHardToDraw(token.content)) {
      md.inline.parse(token.content, md, env, token.children);
      continue;
    }
    const plain = new TokenClass('plain', '', 0);
    plain.content = token.content;
    token.children.push(plain);
  }
});

/**
 * Parses CommonMark and GFM tables, strikethrough and autolinks. HTML is rendered as text. Blocks that would block
 * the page for too long, and everything after the first 20,000 elements, are not formatted.
 */
export function parseMarkdown(text: string): ParsedMarkdown {
  const env: { references?: Record<string, unknown> } = {};
  const tokens = parser.parse(text, env);
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n');
  const blocks: MarkdownBlock[] = [];
  let total = 0;
  for (const group of groupByBlock(tokens)) {
    const [from, to] = group[0]?.map ?? [0, lines.length];
    const count = countTokens(group);
    if (total + Math.min(count, tokensPerBlockMax) > tokensMax) {
      blocks.push({ source: lines.slice(from).join('\n'), node: null });
      break;
    }
    const isPlain = count > tokensPerBlockMax || group.some(({ level }) => level >= nestingMax - 1);
    blocks.push({
      source: lines.slice(from, to).join('\n'),
      node: isPlain ? null : (toNodes(group)[0] ?? null),
    });
    total += isPlain ? 1 : count;
  }
  return { blocks, referenceCount: Object.keys(env.references ?? {}).length };
}

function isHardToDraw(text: string): boolean {
  if (text.length <= invisibleMax) return false;
  return (
    unbreakableWord.test(text) ||
    exceeds(text, /\p{Cf}/gu, invisibleMax) ||
    exceeds(text, /[*_`[\]!<&\\~]/g, marksMax)
  );
}

function exceeds(text: string, pattern: RegExp, max: number): boolean {
  let count = 0;
  while (count <= max && pattern.test(text)) count += 1;
  return count > max;
}

function* groupByBlock(tokens: readonly Token[]): Generator<readonly Token[]> {
  let from = 0;
  for (const [index, { level, nesting }] of tokens.entries()) {
    if (level !== 0 || nesting === 1) continue;
    yield tokens.slice(from, index + 1);
    from = index + 1;
  }
}

/** Cost of a code block in tokens. Its figure and button take as long to render as 25 words. */
const codeCost = 25;

const countTokens = (tokens: readonly Token[]) =>
  tokens.reduce(
    (count, { type, children }) =>
      count + (type === 'fence' || type === 'code_block' ? codeCost : 1) + (children?.length ?? 0),
    0,
  );

function toNodes(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: MarkdownNode[][] = [root];
  for (const token of tokens) {
    const siblings = open.at(-1) ?? root;
    if (token.nesting === -1) {
      open.pop();
    } else if (token.type === 'text' && token.content === '') {
      // Emphasis delimiters leave empty text tokens, which are skipped.
    } else if (token.type === 'inline') {
      siblings.push(...toNodes(token.children ?? []));
    } else {
      const children = token.nesting === 1 ? [] : toNodes(token.children ?? []);
      siblings.push(toNode(token, children));
      if (token.nesting === 1) open.push(children);
    }
  }
  return root;
}

function toNode(token: Token, children: readonly MarkdownNode[]): MarkdownNode {
  return {
    type: token.hidden ? 'tight' : token.type.replace(/_open$/, ''),
    tag: token.tag,
    text: token.content,
    info: token.info.trim(),
    attributes: Object.fromEntries(token.attrs ?? []),
    children,
  };
}
