import { TextInput } from '@mantine/core';
import type { Chat } from '@sluice/contract';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '#components/ui/icon-button.tsx';
import { formatShortAge } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';
import styles from './list.module.css';

interface ChatListProps {
  chats: readonly Chat[] | undefined;
  openId: string | undefined;
  onOpen: (chat: Chat) => void;
  onArchive: (chat: Chat) => void;
  /** Absent if the user cannot start a chat. */
  onNew: (() => void) | undefined;
}

/** The user's chats, newest first. */
export function ChatList({ chats, openId, onOpen, onArchive, onNew }: ChatListProps) {
  const [text, setText] = useState('');
  const nowMs = useNow();
  const found = chats?.filter((chat) =>
    `${titleOf(chat)} ${chat.task_title ?? ''}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <div className={styles.list}>
      <div className={styles.tools}>
        <TextInput
          aria-label="Search chats"
          placeholder="Search chats"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {onNew && <IconButton label="New chat" icon={Plus} onClick={onNew} />}
      </div>
      <ul className={styles.rows}>
        {found?.map((chat) => (
          <li key={chat.id} className={styles.row} data-is-open={chat.id === openId || undefined}>
            <button
              type="button"
              className={styles.open}
              aria-current={chat.id === openId || undefined}
              onClick={() => onOpen(chat)}
            >
              <span className={styles.title}>{titleOf(chat)}</span>
              <span className={styles.about}>
                {chat.task_title !== null && <span className={styles.task}>{chat.task_title}</span>}
                <span className="num">{formatShortAge(chat.updated_at, nowMs)}</span>
              </span>
            </button>
            <IconButton label={`Archive ${titleOf(chat)}`} icon={X} onClick={() => onArchive(chat)} />
          </li>
        ))}
      </ul>
      {found?.length === 0 && (
        <p className={styles.none}>{chats?.length === 0 ? 'No chats yet' : 'No chats match your search'}</p>
      )}
    </div>
  );
}

export const titleOf = ({ title }: Pick<Chat, 'title'>) => title || 'New chat';
