import type { ChatWithMessages } from '@sluice/contract';

type Exported = Pick<ChatWithMessages, 'title' | 'task_title' | 'messages'>;

/** Formats the shown branch as Markdown with authors and models. */
export function toMarkdown({ title, task_title: task, messages }: Exported): string {
  const head = [`# ${title || 'Chat'}`, ...(task === null ? [] : [`Task: ${task}`])];
  const said = messages.map(({ is_user, model, content, created_at, images }) => {
    const pictures = images.map(({ name }) => `[Picture: ${name}]`);
    return [`## ${is_user ? 'You' : (model ?? 'Model')}`, `*${created_at}*`, ...pictures, content].join(
      '\n\n',
    );
  });
  return `${[...head, ...said].join('\n\n')}\n`;
}

/** Formats the shown branch as JSON, with tokens and cost of each answer. */
export function toJson({ title, task_title, messages }: Exported): string {
  const said = messages.map(({ is_user, model, content, created_at, status, tokens_used, cost, images }) => ({
    role: is_user ? 'user' : 'assistant',
    content,
    created_at,
    ...(images.length > 0 && { images: images.map(({ name }) => name) }),
    ...(!is_user && { model, status, tokens_used, cost }),
  }));
  return `${JSON.stringify({ title, task_title, messages: said }, null, 2)}\n`;
}

/** Returns a file name of characters that every system accepts. */
export function fileNameOf({ title }: Pick<Exported, 'title'>, ending: 'md' | 'json'): string {
  const name = title
    .normalize('NFKD')
    .replace(/[^\w]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return `${name || 'chat'}.${ending}`;
}
