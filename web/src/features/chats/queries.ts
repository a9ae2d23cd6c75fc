import { type Chat, type ChatWithMessages, chatsRoutes, quotaStatusRoutes } from '@sluice/contract';
import { queryOptions } from '@tanstack/react-query';
import { createApiClient } from '../../lib/api.ts';

export const chats = createApiClient(chatsRoutes);
const quotaStatus = createApiClient(quotaStatusRoutes);

const key = 'chats';
/** How soon a chat is read anew whose answer is being written. */
const followMs = 500;

export const chatsQuery = queryOptions({
  queryKey: [key, 'list'],
  queryFn: ({ signal }): Promise<Chat[]> => chats.listChats({ query: {} }, { signal }),
});

export const chatKey = (id: string) => [key, 'one', id];

/** One chat; an answer that a former page has begun is followed until it ends. */
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

/** What is used of the day's tokens. */
export const dayBudgetQuery = queryOptions({
  queryKey: [key, 'budget'],
  queryFn: async ({ signal }) =>
    (await quotaStatus.getQuotaStatus(undefined, { signal })).quotas.tokens_per_day,
});
