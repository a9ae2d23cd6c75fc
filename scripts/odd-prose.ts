// Finds common phrases that the style guide in CONTRIBUTING.md forbids, in comments (including style sheets and HTML
// pages), test titles and documents. `node scripts/run.mjs scripts/odd-prose.ts [path ...]` lists the phrases. `npm
// run verify` fails if there are any.
import ts from 'typescript';

export interface OddPhrase {
  /** Line number, starting at 1. */
  readonly line: number;
  readonly phrase: string;
  readonly advice: string;
}

type Rule = readonly [pattern: RegExp, advice: string];

const starts: readonly Rule[] = [
  [/^(?:Whoever|For whoever|For those who|What|Who|Whom|Whose)\b(?!.*\?)/i, 'make the thing the subject'],
  [
    /^(?:So (?:many|much|often|long|far)|How long is|As (?:many|much|often|long) as)\b/,
    'name the quantity: "Maximum number of ..."',
  ],
  [/^Of (?:a|an|the|each|one|those|what|him|it|them)\b/, 'start with the noun that this describes'],
  [/^But\b/, 'join it with the sentence before, or state the exception'],
  [
    /^(?:Hears|Tells|Asks|Stands|Says|Knows|Gives|Bears|Holds good)\b/,
    'use the verb of the field: "Called with", "Returns", "Reports"',
  ],
];

/** A title must be readable without its `describe`. */
const titleStarts: readonly Rule[] = [
  [
    /^(?:but|and|or|nor|also|even|only|neither|with|without|of|for|in|on|at|by|as|when|while|after|before|from|until|that|which|who|what|whose|where|if|unless|so|it|they|its|their|not|no)\b/i,
    'start with the subject: "blockUser rejects ..."',
  ],
];

const anywhere: readonly Rule[] = [
  [/\bwho(?:m|so)?ever\b/i, 'name the caller, user or client'],
  [/\banew\b/i, 'again'],
  [/\bhereof\b|\bthereof\b/i, 'of it'],
  [/\b(?:mended|mends?)\b/i, 'fixed'],
  [
    /\bstands? (?:for|in|there|at|beside|before|behind|above|below|alone)\b/i,
    'is, represents, precedes, follows',
  ],
  [/\bhears? (?:of|that|from|the|what|it|nothing)\b/i, 'is called with, receives'],
  [/\bbut for\b/i, 'except'],
  [/\b(?:of|to|by|for) nobody\b/i, 'name who or what is missing'],
  [/\bnobody (?:has|is|was|asks?|knows?|listens?|reads?|waits?)\b/i, 'say it in the passive: "is not read"'],
  [/\b(?:is|are|has) none\b/i, 'say "does not have", "is not"'],
  [/\bheed(?:s|ed)?\b/i, 'follow, respect'],
  [/\bgoes on\b|\bgo on\b/i, 'continues'],
  [/\bas it were\b/i, 'delete it'],
  [/\bbeside\b/i, 'next to, in addition to'],
  [/\b(?:lies|lie) (?:in|at|on|here|there|beside|within)\b/i, 'is in'],
  [/\bwhatever it\b/i, 'any'],
  [/\bthe like\b/i, 'name it, or delete it'],
  [/\bgoodwill\b/i, 'allowance, grace'],
  [
    /\b(?:colours?|behaviours?|honours?|favours?|neighbours?|recognise[sd]?|initialise[sd]?|normalise[sd]?)\b/i,
    'use American spelling',
  ],
];

/** Returns an empty list for files other than Markdown, code, style sheets and HTML. */
export function findOddPhrases(file: string, text: string): OddPhrase[] {
  if (file.endsWith('.md')) return lookInDocument(text);
  if (/\.(?:css|html)$/.test(file)) return lookInMarkup(text);
  if (!/\.(?:tsx?|mjs|cjs)$/.test(file)) return [];
  return [...commentsOf(file, text), ...titlesOf(file, text)].sort((a, b) => a.line - b.line);
}

function lookInDocument(text: string): OddPhrase[] {
  let isCode = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    if (isCode) return [];
    return look(line.replaceAll(/`[^`]*`/g, '`code`'), index + 1, anywhere);
  });
}

function lookInMarkup(text: string): OddPhrase[] {
  return [...text.matchAll(/\/\*.*?\*\/|<!--.*?-->/gs)].flatMap(({ 0: comment, index }) => {
    const line = text.slice(0, index).split('\n').length;
    return look(plainComment(comment.replaceAll(/^<!--|-->$/g, '')), line, [...starts, ...anywhere]);
  });
}

const look = (text: string, line: number, rules: readonly Rule[]): OddPhrase[] =>
  rules.flatMap(([pattern, advice]) => {
    const phrase = pattern.exec(text)?.[0];
    return phrase === undefined ? [] : [{ line, phrase, advice }];
  });

function commentsOf(file: string, text: string): OddPhrase[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
  const found = new Map<number, OddPhrase[]>();
  const add = ({ pos, end }: ts.CommentRange): void => {
    if (found.has(pos)) return;
    const comment = plainComment(text.slice(pos, end));
    found.set(pos, [...look(comment, lineOf(pos), starts), ...look(comment, lineOf(pos), anywhere)]);
  };
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) add(range);
    for (const range of ts.getTrailingCommentRanges(text, node.getEnd()) ?? []) add(range);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return [...found.values()].flat();
}

function plainComment(comment: string): string {
  return comment
    .replaceAll(/^\/\*+|\*+\/$|^\s*\*(?!\/)|^\/\/+/gm, '')
    .replaceAll(/`[^`]*`/g, '`code`')
    .replaceAll(/\s+/g, ' ')
    .replace(/^ ?(?:biome-ignore [\w/]+: )?/, '')
    .trim();
}

const testCalls = /^(?:it|test|describe)(?:\.(?:each|for|skipIf|runIf|concurrent|sequential)\b.*)?$/s;

function titlesOf(file: string, text: string): OddPhrase[] {
  if (!/\.test\.tsx?$/.test(file)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: OddPhrase[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && testCalls.test(node.expression.getText())) {
      const [title] = node.arguments;
      if (title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) {
        const line = source.getLineAndCharacterOfPosition(title.getStart()).line + 1;
        const words = title.getText().slice(1, -1);
        const isDescribe = node.expression.getText().startsWith('describe');
        found.push(...look(words, line, [...starts, ...anywhere, ...(isDescribe ? [] : titleStarts)]));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
