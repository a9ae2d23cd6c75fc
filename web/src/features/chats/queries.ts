import { type ChatWithMessages, chatsRoutes, type ListedChat, quotaStatusRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { tighterQuota } from '#lib/account-status.ts';
import { createApiClient } from '#lib/api.ts';
import { messageOf } from '#lib/describe-failure.ts';

export const chats = createApiClient(chatsRoutes);
const quotaStatus = createApiClient(quotaStatusRoutes);

const key = 'chats';
/** In milliseconds, for a chat whose answer is being written. */
const followMs = 500;

export const chatsQuery = queryOptions({
  queryKey: [key, 'list'],
  queryFn: ({ signal }): Promise<ListedChat[]> => chats.listChats({ query: {} }, { signal }),
});

export const chatSearchQuery = (search: string) =>
  queryOptions({
    queryKey: [key, 'search', search],
    queryFn: ({ signal }) => chats.listChats({ query: { search } }, { signal }),
  });

export const chatKey = (id: string) => [key, 'one', id];

/** Polls while an answer that another page requested is being written. */
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

/** Stored images never change. */
export const imageQuery = (id: string, imageId: string) =>
  queryOptions({
    queryKey: ['chat-images', imageId],
    queryFn: async ({ signal }) => {
      const { media_type, data } = await chats.getChatImage({ params: { id, imageId } }, { signal });
      return `data:${media_type};base64,${data}`;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export const tokensLeftQuery = queryOptions({
  queryKey: [key, 'budget'],
  queryFn: async ({ signal }) =>
    tighterQuota((await quotaStatus.getQuotaStatus(undefined, { signal })).quotas),
});

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

export interface ChatProblem {
  readonly title: string;
  readonly reason?: string | undefined;
}

export const toChatProblem = (title: string, error: unknown): ChatProblem => ({
  title,
  reason: messageOf(error, '') || undefined,
});
