import { ApiError, chatsRoutes, pathOf } from '@sluice/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { tenantHeaders } from '#lib/acting-tenant.ts';
import { endSession, readToken } from '#lib/token.ts';
import type { AttachedImage } from './attached-files.ts';
import { type ChatProblem, chatKey, chatProblems, chats, toChatProblem } from './queries.ts';

/** Turn that this page is sending and the server has not stored yet. */
export interface LiveTurn {
  readonly chatId: string;
  /** `null` if an answer is regenerated. */
  readonly question: string | null;
  readonly images: readonly AttachedImage[];
  /**
   * Id of the stored message before the turn, or `null` at the start of the chat. Stored messages after it belong to
   * another branch.
   */
  readonly afterId: string | null;
  readonly text: string;
}

export interface Sending {
  readonly chatId: string;
  readonly afterId: string | null;
  readonly content: string;
  readonly model?: string | undefined;
  readonly images?: readonly AttachedImage[];
  readonly editedId?: string;
}

export interface Repeating {
  readonly chatId: string;
  readonly afterId: string | null;
  readonly messageId: string;
  readonly model: string | undefined;
}

/** Arriving text is rendered once per frame. */
export function useAnswer(onProblem: (problem: ChatProblem) => void) {
  const queryClient = useQueryClient();
  const [live, setLive] = useState<LiveTurn | null>(null);
  const text = useRef('');
  const frame = useRef(0);
  useEffect(() => () => cancelAnimationFrame(frame.current), []);

  const draw = () => {
    frame.current = 0;
    setLive((turn) => turn && { ...turn, text: text.current });
  };
  /** Resolves to `true` if the message was sent. */
  const ask = async (turn: Omit<LiveTurn, 'text'>, path: string, body: object): Promise<boolean> => {
    text.current = '';
    setLive({ ...turn, text: '' });
    const onText = (more: string) => {
      text.current += more;
      frame.current ||= requestAnimationFrame(draw);
    };
    const failure = await streamAnswer({ path, body, onText }).catch((error: unknown) => error);
    if (failure) onProblem(toChatProblem(chatProblems.send, failure));
    await queryClient.refetchQueries({ queryKey: chatKey(turn.chatId) });
    setLive(null);
    void queryClient.invalidateQueries({ queryKey: ['chats'] });
    return !failure || text.current !== '';
  };
  const send = ({ chatId, afterId, content, model, images = [], editedId }: Sending) =>
    ask({ chatId, afterId, question: content, images }, pathOf(chatsRoutes.sendChatMessage), {
      chat_id: chatId,
      content,
      ...(model && { model }),
      ...(editedId && { edited_message_id: editedId }),
      ...(images.length > 0 && { images: images.map(({ body }) => body) }),
    });
  const regenerate = ({ chatId, afterId, messageId, model }: Repeating) =>
    ask(
      { chatId, afterId, question: null, images: [] },
      pathOf(chatsRoutes.regenerateChatAnswer).replace('{id}', chatId).replace('{messageId}', messageId),
      model ? { model } : {},
    );
  const stop = (chatId: string) => {
    chats
      .stopChat({ params: { id: chatId } })
      .catch((error) => onProblem(toChatProblem('Failed to stop the answer', error)));
  };
  return { live, send, regenerate, stop };
}

/** `onText` is called with each piece of text. */
export interface AnswerCall {
  readonly path: string;
  readonly body: object;
  readonly onText: (text: string) => void;
}

/**
 * Sends a message and calls `onText` as the answer arrives. Resolves when the answer is stored.
 * @throws ApiError with the server's message, even if the stream is interrupted.
 */
async function streamAnswer({ path, body, onText }: AnswerCall): Promise<void> {
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      ...tenantHeaders(),
      authorization: `Bearer ${readToken()}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify(body),
  });
  if (response.status === 401) endSession();
  if (!response.ok || !response.body) throw await readRefusal(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    const frames = (rest + value).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) readFrame(frame, onText);
  }
}

function readFrame(frame: string, onText: (text: string) => void): void {
  const [event = '', data = ''] = frame.split('\n').map((line) => line.slice(line.indexOf(': ') + 2));
  const told: { text?: string; detail?: string } = JSON.parse(data);
  if (event === 'delta') onText(told.text ?? '');
  if (event === 'error') throw new ApiError(502, told.detail ?? '', [], null);
}

/** Joins the messages of several invalid fields. */
async function readRefusal(response: Response): Promise<ApiError> {
  const { detail }: { detail?: unknown } = await response.json().catch(() => ({}));
  const problems: { msg?: string }[] = Array.isArray(detail) ? detail : [];
  const message = typeof detail === 'string' ? detail : problems.map(({ msg }) => msg).join(', ');
  return new ApiError(response.status, message, [], null);
}
