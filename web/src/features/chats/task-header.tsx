import { useDocumentTitle } from '@mantine/hooks';
import type { ChatTaskContext, ChatWithMessages } from '@sluice/contract';
import { Braces, FileText, Menu } from 'lucide-react';
import { type RowAction, RowMenu } from '#components/data-table/row-actions.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { downloadFile } from '#lib/download-file.ts';
import { formatLabel } from '#lib/format-label.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatCount } from '#lib/format-number.ts';
import styles from './task-header.module.css';

interface TaskHeaderProps {
  task: ChatTaskContext | undefined;
  chat: ChatWithMessages | undefined;
  onOpenList: () => void;
}

const exports: readonly RowAction<ChatWithMessages>[] = [
  {
    name: 'Export as Markdown',
    icon: FileText,
    run: (chat) => download(fileNameOf(chat, 'md'), 'text/markdown', toMarkdown(chat)),
  },
  {
    name: 'Export as JSON',
    icon: Braces,
    run: (chat) => download(fileNameOf(chat, 'json'), 'application/json', toJson(chat)),
  },
];

const download = (name: string, type: string, text: string) =>
  downloadFile(name, new Blob([text], { type: `${type};charset=utf-8` }));

export function TaskHeader({ task, chat, onOpenList }: TaskHeaderProps) {
  const title = task?.title ?? (chat?.title || 'Chat');
  useDocumentTitle(`${title} · Sluice`);
  return (
    <header className={styles.header}>
      <div className={styles.menu}>
        <IconButton label="Chats" icon={Menu} onClick={onOpenList} />
      </div>
      <div className={styles.task}>
        <div className={styles.title}>
          <h1>{title}</h1>
          {task && <Badge>{formatLabel(task.category)}</Badge>}
        </div>
        {task && <p className={styles.about}>{task.description}</p>}
      </div>
      <div className={styles.tokens}>
        {typeof task?.remaining_tokens === 'number' && (
          <p>
            <strong className="num">{formatCount(task.remaining_tokens)}</strong> tokens left
          </p>
        )}
        {typeof task?.token_limit === 'number' && (
          <p className={`${styles.about} ${styles.limit}`}>
            of <span className="num">{formatCount(task.token_limit)}</span> in this task
          </p>
        )}
        {!task && chat && (
          <p className={styles.about}>
            <span className="num">{formatCount(chat.total_tokens_used)}</span> tokens used
          </p>
        )}
        {chat && chat.total_cost > 0 && (
          <p className={`num ${styles.about}`} title="Cost of all answers, including replaced ones">
            {formatUsd(chat.total_cost)} so far
          </p>
        )}
      </div>
      {chat && chat.messages.length > 0 && (
        <RowMenu row={chat} name="Export this chat" actions={exports} tabIndex={0} />
      )}
    </header>
  );
}

type Exported = Pick<ChatWithMessages, 'title' | 'task_title' | 'messages'>;

/** Includes the author or model of each message. */
export function toMarkdown({ title, task_title: task, messages }: Exported): string {
  const head = [`# ${title || 'Chat'}`, ...(task === null ? [] : [`Task: ${task}`])];
  const said = messages.map(({ is_user, model, content, created_at, images }) => {
    const pictures = images.map(({ name }) => `[Image: ${name}]`);
    return [`## ${is_user ? 'You' : (model ?? 'Model')}`, `*${created_at}*`, ...pictures, content].join(
      '\n\n',
    );
  });
  return `${[...head, ...said].join('\n\n')}\n`;
}

/** Includes the tokens and cost of each answer. */
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

/** Keeps only the letters and digits of the title, in any script. */
export function fileNameOf({ title }: Pick<Exported, 'title'>, ending: 'md' | 'json'): string {
  const name = title
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return `${name || 'chat'}.${ending}`;
}
