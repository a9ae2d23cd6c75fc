import { type Chat, type ChatMessage, type CurrentUser, noChatTask } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { isAdministrator } from '#lib/home-path.ts';
import { lazyPart, useEverTrue } from '#lib/lazy-part.tsx';
import { useOwnModels } from '#lib/own-account.ts';
import { Composer } from './composer.tsx';
import { ChatList } from './list.tsx';
import {
  type ChatProblem,
  chatProblems,
  chatQuery,
  chats,
  chatsQuery,
  isPending,
  taskQuery,
  toChatProblem,
} from './queries.ts';
import styles from './screen.module.css';
import type { ChatSearch } from './search.ts';
import { TaskHeader } from './task-header.tsx';
import { Thread } from './thread.tsx';
import { useAnswer } from './use-answer.ts';
import { useMessageActions } from './use-message-actions.ts';

/** Holds the list on phones only. */
const Drawer = lazyPart(() => import('#components/ui/drawer.tsx'), 'Drawer');

const noMessages: readonly ChatMessage[] = [];

/** Chats with models, each in the context of a task. */
export function ChatScreen({ user }: { user: CurrentUser }) {
  const { problem, setProblem, dismiss } = useProblems();
  const [isListOpen, setIsListOpen] = useState(false);
  const wasListOpened = useEverTrue(isListOpen);
  const { search, show, begin } = useOpenChat(user, setProblem);
  const { open } = search;
  const { list, chat, task, taskId } = useShownChat(search, setProblem);
  const archive = useArchive(open, () => show({}), setProblem);
  const canBegin = taskId !== undefined || isAdministrator(user);
  const chatList = (
    <ChatList
      chats={list}
      openId={open}
      onOpen={({ id, task_id }) => {
        setIsListOpen(false);
        show({ task: task_id ?? undefined, open: id });
      }}
      onArchive={archive}
      onNew={canBegin ? () => begin(taskId) : undefined}
    />
  );
  return (
    <div className={styles.screen}>
      <aside className={styles.list} aria-label="Chats">
        {chatList}
      </aside>
      {wasListOpened && (
        <Drawer title="Chats" isOpen={isListOpen} onClose={() => setIsListOpen(false)}>
          {chatList}
        </Drawer>
      )}
      <div className={styles.chat}>
        <TaskHeader task={task} chat={chat} onOpenList={() => setIsListOpen(true)} />
        <ProblemBanner problem={problem} onDismiss={dismiss} />
        <Conversation
          open={open}
          messages={chat?.messages ?? noMessages}
          remainingTokens={task?.remaining_tokens ?? null}
          onProblem={setProblem}
        />
      </div>
    </div>
  );
}

/** Keeps one problem at a time. A failed task query is already reported by the chat that could not be opened. */
function useProblems() {
  const [problem, setShown] = useState<ChatProblem | null>(null);
  const setProblem = useCallback(
    (next: ChatProblem) =>
      setShown((before) =>
        before?.title === chatProblems.loadTaskAndChat && next.title === chatProblems.loadTask
          ? before
          : next,
      ),
    [],
  );
  return { problem, setProblem, dismiss: () => setShown(null) };
}

type OnProblem = (problem: ChatProblem) => void;

function useShownChat({ open, task: wantedTask }: ChatSearch, onProblem: OnProblem) {
  const list = useQuery(chatsQuery);
  const chat = useQuery({ ...chatQuery(open ?? ''), enabled: open !== undefined });
  const shown = open === undefined ? undefined : chat.data;
  const taskId = shown?.task_id ?? wantedTask;
  const task = useQuery({ ...taskQuery(taskId ?? 0), enabled: open !== undefined && taskId !== undefined });
  useProblem(chatProblems.loadChats, list.error, onProblem);
  useProblem(chatProblems.loadMessages, chat.error, onProblem);
  useProblem(chatProblems.loadTask, task.error, onProblem);
  return { list: list.data, chat: shown, task: taskId === undefined ? undefined : task.data, taskId };
}

function useProblem(title: string, error: unknown, onProblem: OnProblem): void {
  useEffect(() => {
    if (error) onProblem(toChatProblem(title, error));
  }, [title, error, onProblem]);
}

function useArchive(open: string | undefined, onCleared: () => void, onProblem: OnProblem) {
  const queryClient = useQueryClient();
  return async ({ id }: Chat) => {
    try {
      await chats.archiveChat({ params: { id } });
      queryClient.setQueryData(chatsQuery.queryKey, (rows) => rows?.filter((chat) => chat.id !== id));
      if (id === open) onCleared();
    } catch (error) {
      onProblem(toChatProblem(chatProblems.archive, error));
    }
  };
}

interface ProblemBannerProps {
  problem: ChatProblem | null;
  onDismiss: () => void;
}

/** Last error, until dismissed. */
function ProblemBanner({ problem, onDismiss }: ProblemBannerProps) {
  return (
    <div role="alert">
      {problem && (
        <Notice
          kind="bad"
          title={problem.title}
          action={<IconButton label="Dismiss" icon={X} onClick={onDismiss} />}
        >
          {problem.reason}
        </Notice>
      )}
    </div>
  );
}

/** Opens or starts the chat that the URL requests, then puts the chat's id in the URL. */
function useOpenChat(user: CurrentUser, onProblem: (problem: ChatProblem) => void) {
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: '/chat' });
  const search = useSearch({ from: '/signed-in/chat' });
  const { task, open, new: isNew } = search;

  const show = (next: ChatSearch) => void navigate({ search: next, replace: true });
  const start = async (taskId: number | undefined, isNewChat: boolean) => {
    const wanted =
      taskId === undefined || isNewChat
        ? chats.createChat({ body: { task_id: taskId ?? null } })
        : chats.openTaskChat({ params: { id: taskId } });
    const context = taskId === undefined ? undefined : queryClient.fetchQuery(taskQuery(taskId));
    const [chat, loaded] = await Promise.allSettled([wanted, context]);
    if (chat.status === 'rejected') {
      const title = loaded.status === 'rejected' ? chatProblems.loadTaskAndChat : chatProblems.openChat;
      onProblem(toChatProblem(title, chat.reason));
      return show({ task: taskId });
    }
    if (loaded.status === 'rejected') onProblem(toChatProblem(chatProblems.loadTask, loaded.reason));
    void queryClient.invalidateQueries({ queryKey: chatsQuery.queryKey });
    show({ task: taskId, open: chat.value.id });
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per requested chat
  useEffect(() => {
    if (open !== undefined && !isNew) return;
    if (task !== undefined || (isNew && isAdministrator(user))) void start(task, isNew === true);
    else if (!isAdministrator(user)) onProblem({ title: noChatTask });
  }, [task, isNew]);

  return { search, show, begin: (taskId: number | undefined) => void start(taskId, true) };
}

interface ConversationProps {
  open: string | undefined;
  messages: readonly ChatMessage[];
  remainingTokens: number | null;
  onProblem: (problem: ChatProblem) => void;
}

/** Messages of the open chat and the message input. */
function Conversation({ open, messages, remainingTokens, onProblem }: ConversationProps) {
  const { models = [] } = useOwnModels();
  const [chosenModel, setChosenModel] = useState('');
  const { live, send, regenerate, stop } = useAnswer(onProblem);
  const model = chosenModel || undefined;
  const { actions, edited } = useMessageActions(open, { send, regenerate, messages, model }, onProblem);
  const shownLive = live?.chatId === open ? live : null;
  const isAwaiting = shownLive !== null || messages.some(isPending);
  const lastModel = messages.findLast((message) => !message.is_user)?.model;
  const nextModel = model ?? lastModel ?? models[0]?.id;
  const last = messages.at(-1)?.id ?? null;
  return (
    <>
      <Thread
        key={open}
        chatId={open ?? ''}
        messages={messages}
        live={shownLive}
        actions={actions}
        isBusy={isAwaiting}
        edited={edited}
      />
      <Composer
        hasChat={open !== undefined}
        isAwaiting={isAwaiting}
        remainingTokens={remainingTokens}
        models={models}
        chosenModel={chosenModel}
        model={models.find(({ id }) => id === nextModel)}
        threadTokens={Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4)}
        onModel={setChosenModel}
        onSend={(content, images) => send({ chatId: open ?? '', afterId: last, content, model, images })}
        onStop={() => open && stop(open)}
        onEditLast={() => actions.edit(messages.findLast((message) => message.is_user)?.id ?? null)}
        onProblem={(title) => onProblem({ title })}
      />
    </>
  );
}
