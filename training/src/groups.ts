const relatives: [prefix: string, group: string][] = [
  ['GPTeacher', 'GPTeacher'],
  ['ExpertQA', 'ExpertQA'],
  ['vscode', 'vscode-copilot-chat'],
  ['repo-code', 'vscode-copilot-chat'],
  ['commit', 'commits'],
  ['mt-bench', 'mt-bench'],
  ['vicuna', 'mt-bench'],
  ['ifeval', 'ifeval'],
  ['m-ifeval', 'ifeval'],
  ['chatterbot', 'chatterbot-corpus'],
  ['tldr', 'tldr-pages'],
  ['composed', 'composed'],
  ['awesome-chatgpt', 'awesome-chatgpt-prompts'],
];

/** Returns the group of a source: sources that share authors, templates or repositories are left out together. */
export function groupOf(source: string): string {
  return relatives.find(([prefix]) => source.startsWith(prefix))?.[1] ?? source;
}
