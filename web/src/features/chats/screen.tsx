import {
  type ChatMessage,
  type CurrentUser,
  type ListedChat,
  noChatTask,
  type UpdateChatBody,
} from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { IconButton } from '#components/ui/icon-button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { quotaStatusQuery } from '#lib/account-status.ts';
import { isAdministrator } from '#lib/home-path.ts';
import { lazyPart, useEverTrue } from '#lib/lazy-part.tsx';
import { useOwnModels } from '#lib/own-account.ts';
import { Composer } from './composer.tsx';
import { ChatList, type ChatListActions } from './list.tsx';
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
import { BlockNotice, StartPanel } from './start-panel.tsx';
import { TaskHeader } from './task-header.tsx';
import { AnswerStatus, Thread } from './thread.tsx';
import { useAnswer } from './use-answer.ts';
import { useMessageActions } from './use-message-actions.ts';
import { useOpenChat } from './use-open-chat.ts';

/** Loaded on demand, because only phones show the chat list in a drawer. */
const Drawer = lazyPart(() => import('#components/ui/drawer.tsx'), 'Drawer');

const noMessages: readonly ChatMessage[] = [];

export function ChatScreen({ user }: { user: CurrentUser }) {
  const { problem, setProblem, dismiss } = useProblems();
  const [isListOpen, setIsListOpen] = useState(false);
  const { search, show, begin, openTask } = useOpenChat(user, setProblem);
  const { open } = search;
  const { list, chat, task, taskId } = useShownChat(search, setProblem);
  const changes = useListChanges(open, () => show({}), setProblem);
  const { data: status } = useQuery(quotaStatusQuery);
  const isBlocked = status !== undefined && status.warnings.blocked_status !== null;
  const isSettled = open !== undefined && problem?.title === noChatTask;
  const canBegin = !isBlocked && (taskId !== undefined || isAdministrator(user));
  const chatList = (
    <ChatList
      chats={list}
      openId={open}
      actions={{
        ...changes,
        open({ id, task_id }) {
          setIsListOpen(false);
          show({ task: task_id ?? undefined, open: id });
        },
      }}
      onNew={canBegin ? () => begin(taskId) : undefined}
    />
  );
  return (
    <div className={styles.screen}>
      <ListPlaces isOpen={isListOpen} onClose={() => setIsListOpen(false)}>
        {chatList}
      </ListPlaces>
      <div className={styles.chat}>
        <TaskHeader task={task} chat={chat} onOpenList={() => setIsListOpen(true)} />
        <ProblemBanner problem={isSettled ? null : problem} onDismiss={dismiss} />
        {isBlocked && <BlockNotice status={status} />}
        {open === undefined && !isBlocked && search.task === undefined ? (
          <StartPanel mayOmitTask={isAdministrator(user)} onStart={openTask} onProblem={setProblem} />
        ) : (
          <Conversation
            userId={user.id}
            isReadOnly={isBlocked}
            open={open}
            messages={chat?.messages ?? noMessages}
            remainingTokens={task?.remaining_tokens ?? null}
            onProblem={setProblem}
          />
        )}
      </div>
    </div>
  );
}

interface ListPlacesProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** On phones, the list is in a drawer. */
function ListPlaces({ isOpen, onClose, children }: ListPlacesProps) {
  const wasOpened = useEverTrue(isOpen);
  return (
    <>
      <aside className={styles.list} aria-label="Chats">
        {children}
      </aside>
      {wasOpened && (
        <Drawer title="Chats" isOpen={isOpen} onClose={onClose}>
          {children}
        </Drawer>
      )}
    </>
  );
}

/** A failed task query is not reported, because the chat that could not be opened reports it already. */
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

function useListChanges(
  open: string | undefined,
  onCleared: () => void,
  onProblem: OnProblem,
): Omit<ChatListActions, 'open'> {
  const queryClient = useQueryClient();
  const reload = () => queryClient.invalidateQueries({ queryKey: ['chats'] });
  const update = (id: string, body: UpdateChatBody, problem: string) =>
    chats
      .updateChat({ params: { id }, body })
      .then(reload)
      .catch((error) => onProblem(toChatProblem(problem, error)));
  return {
    async archive({ id }: ListedChat) {
      try {
        await chats.archiveChat({ params: { id } });
        queryClient.setQueryData(chatsQuery.queryKey, (rows) => rows?.filter((chat) => chat.id !== id));
        void reload();
        if (id === open) onCleared();
      } catch (error) {
        onProblem(toChatProblem(chatProblems.archive, error));
      }
    },
    rename: ({ id }, title) => void update(id, { title }, chatProblems.rename),
    pin: ({ id }, is_pinned) => void update(id, { is_pinned }, chatProblems.pin),
  };
}

interface ProblemBannerProps {
  problem: ChatProblem | null;
  onDismiss: () => void;
}

function ProblemBanner({ problem, onDismiss }: ProblemBannerProps) {
  return (
    <div role="alert" className={styles.problem}>
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

interface ConversationProps {
  userId: number;
  isReadOnly: boolean;
  open: string | undefined;
  messages: readonly ChatMessage[];
  remainingTokens: number | null;
  onProblem: (problem: ChatProblem) => void;
}

function Conversation(props: ConversationProps) {
  const { userId, isReadOnly, open, messages, remainingTokens, onProblem } = props;
  const { models = [] } = useOwnModels();
  const [chosenModel, setChosenModel] = useState('');
  const { live, send, regenerate, stop } = useAnswer(onProblem);
  const model = chosenModel || undefined;
  const { actions, edited } = useMessageActions(open, { send, regenerate, messages, model }, onProblem);
  const shownLive = live?.chatId === open ? live : null;
  const pending = messages.find(isPending);
  const isBusy = shownLive !== null || pending !== undefined;
  const isAwaiting = isBusy && (shownLive?.text ?? pending?.content ?? '') === '';
  const lastModel = messages.findLast((message) => !message.is_user)?.model;
  const nextModel = model ?? lastModel ?? models[0]?.id;
  const shownModel = chosenModel || (models.find(({ id }) => id === lastModel)?.id ?? '');
  const last = messages.at(-1)?.id ?? null;
  return (
    <>
      <Thread
        key={open}
        chatId={open ?? ''}
        messages={messages}
        live={shownLive}
        isReadOnly={isReadOnly}
        actions={actions}
        isBusy={isBusy || isReadOnly}
        edited={edited}
      />
      <AnswerStatus messages={messages} isBusy={isBusy} />
      {!isReadOnly && (
        <Composer
          userId={userId}
          chatId={open}
          isBusy={isBusy}
          isAwaiting={isAwaiting}
          remainingTokens={remainingTokens}
          models={models}
          chosenModel={shownModel}
          model={models.find(({ id }) => id === nextModel)}
          threadTokens={Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4)}
          onModel={setChosenModel}
          onSend={(content, images) => send({ chatId: open ?? '', afterId: last, content, model, images })}
          onStop={() => open && stop(open)}
          onEditLast={() => actions.edit(messages.findLast((message) => message.is_user)?.id ?? null)}
          onProblem={(title) => onProblem({ title })}
        />
      )}
    </>
  );
}
