import type { chatsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { regenerateChatAnswer, sendChatMessage } from './answer-turn.ts';
import {
  archiveChat,
  chooseChatBranch,
  createChat,
  getChatTaskContext,
  openTaskChat,
  stopChat,
  updateChat,
} from './change.ts';
import { getChat, getChatImage, listChats } from './read.ts';
import type { ChatRuns } from './runs.ts';

export function createChatsHandlers({ runs }: { readonly runs: ChatRuns }): Handlers<typeof chatsRoutes> {
  return {
    createChat: (ctx, { body }) => createChat(ctx, body.task_id ?? null),
    listChats: (ctx, { query }) => listChats(ctx, query),
    getChat: (ctx, { params }) => getChat(ctx, params.id),
    sendChatMessage: (ctx, { body }) => sendChatMessage(runs, ctx, body),
    regenerateChatAnswer: (ctx, { params, body }) => regenerateChatAnswer(runs, ctx, params, body.model),
    chooseChatBranch: (ctx, { params }) => chooseChatBranch(ctx, params),
    getChatImage: (ctx, { params }) => getChatImage(ctx, params),
    updateChat: (ctx, { params, body }) => updateChat(ctx, params.id, body),
    stopChat: (ctx, { params }) => stopChat(runs, ctx, params.id),
    archiveChat: (ctx, { params }) => archiveChat(runs, ctx, params.id),
    getChatTaskContext: (ctx, { params }) => getChatTaskContext(ctx, params.id),
    openTaskChat: (ctx, { params }) => openTaskChat(ctx, params.id),
  };
}
