import type { ChatMessage } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ownModelsQuery } from '../../lib/own-models.ts';
import { Composer } from './composer.tsx';
import type { ChatProblem } from './problems.ts';
import { isPending } from './queries.ts';
import { Thread } from './thread.tsx';
import { useAnswer } from './use-answer.ts';
import { useMessageActions } from './use-message-actions.ts';

interface ConversationProps {
  open: string | undefined;
  messages: readonly ChatMessage[];
  remainingTokens: number | null;
  onProblem: (problem: ChatProblem) => void;
}

/** Messages of the open chat and the message input. */
export function Conversation({ open, messages, remainingTokens, onProblem }: ConversationProps) {
  const { data: models = [] } = useQuery(ownModelsQuery);
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
