import type { chatsRoutes } from '@sluice/contract';
import type { Handlers } from '#http/console-route.ts';
import { archiveChat } from './archive.ts';
import { chooseChatBranch } from './choose-branch.ts';
import { createChat, openTaskChat } from './create.ts';
import { getChat } from './get.ts';
import { getChatImage } from './get-image.ts';
import { listChats } from './list.ts';
import { regenerateChatAnswer } from './regenerate.ts';
import type { ChatRuns } from './runs.ts';
import { sendChatMessage } from './send.ts';
import { stopChat } from './stop.ts';
import { getChatTaskContext } from './task-context.ts';

export function createChatsHandlers({ runs }: { readonly runs: ChatRuns }): Handlers<typeof chatsRoutes> {
  return {
    createChat: (ctx, { body }) => createChat(ctx, body.task_id ?? null),
    listChats: (ctx, { query }) => listChats(ctx, query.task_id),
    getChat: (ctx, { params }) => getChat(ctx, params.id),
    sendChatMessage: (ctx, { body }) => sendChatMessage(runs, ctx, body),
    regenerateChatAnswer: (ctx, { params, body }) => regenerateChatAnswer(runs, ctx, params, body.model),
    chooseChatBranch: (ctx, { params }) => chooseChatBranch(ctx, params),
    getChatImage: (ctx, { params }) => getChatImage(ctx, params),
    stopChat: (ctx, { params }) => stopChat(runs, ctx, params.id),
    archiveChat: (ctx, { params }) => archiveChat(runs, ctx, params.id),
    getChatTaskContext: (ctx, { params }) => getChatTaskContext(ctx, params.id),
    openTaskChat: (ctx, { params }) => openTaskChat(ctx, params.id),
  };
}
