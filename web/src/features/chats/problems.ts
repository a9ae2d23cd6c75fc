import { messageOf } from '../../lib/message-of.ts';

/** Error messages of the chat. */
export const chatProblems = {
  loadTaskAndChat: 'Failed to load task and chat',
  loadTask: 'Failed to load task context',
  openChat: 'Failed to load or create chat',
  loadChats: 'Failed to load chats',
  loadMessages: 'Failed to load chat messages',
  send: 'Failed to send message',
  archive: 'Failed to archive chat',
} as const;

/** A failure, with the server's reason if it sent one. */
export interface ChatProblem {
  readonly title: string;
  readonly reason?: string | undefined;
}

export const toChatProblem = (title: string, error: unknown): ChatProblem => ({
  title,
  reason: messageOf(error, '') || undefined,
});
