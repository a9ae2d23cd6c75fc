import type { CurrentUser } from '@sluice/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isAdministrator } from '#lib/home-path.ts';
import { type ChatProblem, chatProblems, chats, chatsQuery, taskQuery, toChatProblem } from './queries.ts';
import type { ChatSearch } from './search.ts';

/** Opens or starts the chat that the URL requests, then writes its id to the URL. */
export function useOpenChat(user: CurrentUser, onProblem: (problem: ChatProblem) => void) {
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: must run once per requested chat
  useEffect(() => {
    if (open !== undefined && !isNew) return;
    if (task !== undefined || (isNew && isAdministrator(user))) void start(task, isNew === true);
    else if (isNew) show({});
  }, [task, isNew]);

  return {
    search,
    show,
    begin: (taskId: number | undefined) => void start(taskId, true),
    openTask: (taskId: number | undefined) => void start(taskId, false),
  };
}
