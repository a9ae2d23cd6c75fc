import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { foldText, type ListedChat } from '@sluice/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Pencil, Pin, PinOff, Plus, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { type RowAction, RowMenu } from '#components/data-table/row-actions.tsx';
import { IconButton } from '#components/ui/icon-button.tsx';
import { nameDay, ownDay } from '#lib/format-day.ts';
import { formatShortAge } from '#lib/format-time.ts';
import { useNow } from '#lib/use-now.ts';
import { isComposing } from './composer.tsx';
import styles from './list.module.css';
import { chatSearchQuery } from './queries.ts';

export interface ChatListActions {
  open(chat: ListedChat): void;
  archive(chat: ListedChat): void;
  rename(chat: ListedChat, title: string): void;
  pin(chat: ListedChat, isPinned: boolean): void;
}

interface ChatListProps {
  chats: readonly ListedChat[] | undefined;
  openId: string | undefined;
  actions: ChatListActions;
  /** `undefined` if the user may not start a chat. */
  onNew: (() => void) | undefined;
}

/** Typing pause in milliseconds before message texts are searched. */
const searchDelayMs = 200;

/** The search covers titles, task titles and message texts. */
export function ChatList({ chats, openId, actions, onNew }: ChatListProps) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), searchDelayMs);
  const isSearching = text.trim() !== '';
  const found = useQuery({
    ...chatSearchQuery(search),
    enabled: isSearching && search !== '',
    placeholderData: keepPreviousData,
  });
  const listed = isSearching ? chats && uniteMatches(chats, text.trim(), found.data ?? []) : chats;
  return (
    <div className={styles.list}>
      <div className={styles.tools}>
        <TextInput
          type="search"
          aria-label="Search chats"
          placeholder="Search chats"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {onNew && <IconButton label="New chat" icon={Plus} onClick={onNew} />}
      </div>
      {listed?.length === 0 && !found.isFetching && (
        <p className={styles.none} role="status">
          {isSearching ? 'No chats match your search' : 'No chats yet'}
        </p>
      )}
      <ChatGroups chats={listed ?? []} openId={openId} actions={actions} />
    </div>
  );
}

/** Returns the chats whose titles contain the text, and the chats for which the server found matching messages. */
function uniteMatches(
  chats: readonly ListedChat[],
  text: string,
  found: readonly ListedChat[],
): readonly ListedChat[] {
  const foundIds = new Map(found.map((chat) => [chat.id, chat]));
  const isNamed = (chat: ListedChat) =>
    foldText(`${titleOf(chat)} ${chat.task_title ?? ''}`).includes(foldText(text));
  return chats.flatMap((chat) => foundIds.get(chat.id) ?? (isNamed(chat) ? chat : []));
}

function ChatGroups(props: { chats: readonly ListedChat[] } & Omit<ChatRowProps, 'chat'>) {
  const { chats, openId, actions } = props;
  const nowMs = useNow();
  const groups = Map.groupBy(chats, (chat) => groupOf(chat, nowMs));
  return (
    <div className={styles.groups}>
      {[...groups].map(([name, members]) => (
        <section key={name} aria-label={name}>
          <h2 className={styles.day}>{name}</h2>
          <ul className={styles.rows}>
            {members.map((chat) => (
              <ChatRow key={chat.id} chat={chat} openId={openId} actions={actions} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const groupOf = ({ is_pinned, updated_at }: ListedChat, nowMs: number): string =>
  is_pinned ? 'Pinned' : nameDay(ownDay(Date.parse(updated_at)), ownDay(nowMs));

interface ChatRowProps {
  chat: ListedChat;
  openId: string | undefined;
  actions: ChatListActions;
}

function ChatRow({ chat, openId, actions }: ChatRowProps) {
  const [isRenaming, setRenaming] = useState(false);
  const nowMs = useNow();
  const isOpen = chat.id === openId;
  const title = titleOf(chat);
  const offered: RowAction<ListedChat>[] = [
    { name: 'Rename', icon: Pencil, run: () => setRenaming(true) },
    chat.is_pinned
      ? { name: 'Unpin', icon: PinOff, run: () => actions.pin(chat, false) }
      : { name: 'Pin', icon: Pin, run: () => actions.pin(chat, true) },
  ];
  if (isRenaming)
    return (
      <li className={styles.row}>
        <TitleField
          title={title}
          onSave={(next) => {
            setRenaming(false);
            if (next !== title) actions.rename(chat, next);
          }}
          onCancel={() => setRenaming(false)}
        />
      </li>
    );
  return (
    <li className={styles.row} data-is-open={isOpen || undefined}>
      <button
        type="button"
        className={styles.open}
        aria-current={isOpen || undefined}
        onClick={() => actions.open(chat)}
      >
        <span className={styles.title}>{title}</span>
        {chat.excerpt !== null && <span className={styles.excerpt}>{chat.excerpt}</span>}
        <span className={styles.about}>
          {chat.task_title !== null && <span className={styles.task}>{chat.task_title}</span>}
          <span className="num">{formatShortAge(chat.updated_at, nowMs)}</span>
        </span>
      </button>
      <RowMenu row={chat} name={`More actions: ${title}`} actions={offered} tabIndex={0} />
      <IconButton label={`Archive ${title}`} icon={X} onClick={() => actions.archive(chat)} />
    </li>
  );
}

interface TitleFieldProps {
  title: string;
  onSave: (title: string) => void;
  onCancel: () => void;
}

/** Enter or leaving the field saves, Escape cancels. */
function TitleField({ title, onSave, onCancel }: TitleFieldProps) {
  const [text, setText] = useState(title);
  const save = () => (text.trim() === '' ? onCancel() : onSave(text.trim()));
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Enter') save();
    if (event.key === 'Escape') onCancel();
  };
  return (
    <TextInput
      autoFocus
      className={styles.rename}
      aria-label={`New title of ${title}`}
      maxLength={200}
      value={text}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={save}
    />
  );
}

export const titleOf = ({ title }: Pick<ListedChat, 'title'>) => title || 'New chat';
