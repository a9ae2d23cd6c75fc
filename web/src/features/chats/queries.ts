import { type ChatWithMessages, chatsRoutes, type ListedChat, quotaStatusRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '#lib/api.ts';
import { messageOf } from '#lib/describe-failure.ts';

export const chats = createApiClient(chatsRoutes);
const quotaStatus = createApiClient(quotaStatusRoutes);

const key = 'chats';
/** Interval for polling a chat whose answer is being written. */
const followMs = 500;

export const chatsQuery = queryOptions({
  queryKey: [key, 'list'],
  queryFn: ({ signal }): Promise<ListedChat[]> => chats.listChats({ query: {} }, { signal }),
});

/** Chats whose title, task title or message texts contain a text. */
export const chatSearchQuery = (search: string) =>
  queryOptions({
    queryKey: [key, 'search', search],
    queryFn: ({ signal }) => chats.listChats({ query: { search } }, { signal }),
  });

export const chatKey = (id: string) => [key, 'one', id];

/** One chat. While an answer started by another page is being written, it is polled. */
export const chatQuery = (id: string) =>
  queryOptions({
    queryKey: chatKey(id),
    queryFn: ({ signal }): Promise<ChatWithMessages> => chats.getChat({ params: { id } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.messages.some(isPending) ? followMs : false),
  });

export const isPending = ({ status }: { status: string }) => status === 'pending';

export const taskQuery = (id: number) =>
  queryOptions({
    queryKey: [key, 'task', id],
    queryFn: ({ signal }) => chats.getChatTaskContext({ params: { id } }, { signal }),
  });

/** Object URL of a stored image; it never changes. */
export const imageQuery = (id: string, imageId: string) =>
  queryOptions({
    queryKey: ['chat-images', imageId],
    queryFn: async ({ signal }) => {
      const { media_type, data } = await chats.getChatImage({ params: { id, imageId } }, { signal });
      return `data:${media_type};base64,${data}`;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Tokens used and left today. */
export const dayBudgetQuery = queryOptions({
  queryKey: [key, 'budget'],
  queryFn: async ({ signal }) =>
    (await quotaStatus.getQuotaStatus(undefined, { signal })).quotas.tokens_per_day,
});

/** Error messages of the chat. */
export const chatProblems = {
  loadTaskAndChat: 'Failed to load task and chat',
  loadTask: 'Failed to load task context',
  openChat: 'Failed to load or create chat',
  loadChats: 'Failed to load chats',
  loadMessages: 'Failed to load chat messages',
  send: 'Failed to send message',
  archive: 'Failed to archive chat',
  rename: 'Failed to rename chat',
  pin: 'Failed to pin chat',
} as const;

/** Describes a failure, with the server's reason if it sent one. */
export interface ChatProblem {
  readonly title: string;
  readonly reason?: string | undefined;
}

export const toChatProblem = (title: string, error: unknown): ChatProblem => ({
  title,
  reason: messageOf(error, '') || undefined,
});
