export interface Stage {
  readonly from: string;
  readonly name: string | null;
  readonly instructions: readonly Instruction[];
}

export interface Instruction {
  readonly word: string;
  readonly argument: string;
}

/** `ARG` values before the first stage replace `${NAME}`. */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/[ \t]*\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const values = new Map<string, string>();
  const stages: { from: string; name: string | null; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, word = '', argument = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    const stage = stages.at(-1);
    if (word === 'FROM') {
      const [from = '', , name = null] = expand(argument, values).split(/\s+/);
      stages.push({ from, name, instructions: [] });
    } else if (stage) stage.instructions.push({ word, argument });
    else if (word === 'ARG') setValue(argument, values);
    else throw new Error(`${word} precedes the first FROM`);
  }
  return stages;
}

export function parsePairs(argument: string): [string, string][] {
  return [...argument.matchAll(/(\w+)=(?:"([^"]*)"|(\S*))/g)].map(([, name = '', quoted, bare]) => [
    name,
    quoted ?? bare ?? '',
  ]);
}

function setValue(argument: string, values: Map<string, string>): void {
  for (const [name, value] of parsePairs(argument)) values.set(name, value);
}

function expand(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => values.get(name) ?? '');
}

export function parseIgnoreFile(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** The last matching line of the `.dockerignore` decides. */
export function isSent(path: string, patterns: readonly string[]): boolean {
  let isIgnored = false;
  for (const pattern of patterns) {
    const isException = pattern.startsWith('!');
    if (covers(isException ? pattern.slice(1) : pattern, path)) isIgnored = !isException;
  }
  return !isIgnored;
}

function covers(pattern: string, path: string): boolean {
  const expression = pattern
    .replaceAll(/[.+^$()|[\]{}\\]/g, String.raw`\$&`)
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('\0', '(?:.*/)?');
  return new RegExp(`^${expression}(?:/.*)?$`).test(path);
}
