import type { ChatMessage } from '@sluice/contract';
import { RotateCcw } from 'lucide-react';
import { memo } from 'react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { IconButton } from '../../components/ui/icon-button.tsx';
import { Markdown } from '../../components/ui/markdown.tsx';
import { formatUsd } from '../../lib/format-money.ts';
import { formatCount } from '../../lib/format-number.ts';
import { BranchSwitch } from './branch-switch.tsx';
import styles from './message.module.css';
import { Question } from './question.tsx';
import type { Edited, MessageActions } from './use-message-actions.ts';

interface MessageProps {
  message: ChatMessage;
  chatId: string;
  actions: MessageActions;
  /** Whether an answer is being written; no other message can be sent meanwhile. */
  isBusy: boolean;
  /** Message being edited, or `null`. */
  edited: Edited | null;
}

/** A message; renders again only if it has changed. */
export const Message = memo(function Message({ message, ...props }: MessageProps) {
  if (message.is_user) return <Question message={message} {...props} />;
  return (
    <article className={styles.answer} aria-busy={message.status === 'pending'}>
      <Markdown text={message.content} isGrowing={message.status === 'pending'} />
      {message.status === 'failed' && <p className={styles.problem}>{message.error_message}</p>}
      <AnswerFacts message={message} {...props} />
    </article>
  );
});

/** Model, tokens and cost of an answer, and its actions. */
function AnswerFacts({ message, actions, isBusy }: Omit<MessageProps, 'chatId' | 'edited'>) {
  const { id, status, model, tokens_used, cost, content, siblings } = message;
  return (
    <footer className={styles.facts}>
      <BranchSwitch id={id} siblings={siblings} noun="answer" isBusy={isBusy} onChoose={actions.choose} />
      {model !== null && <span>{model}</span>}
      {status === 'pending' && <span>writing</span>}
      {status === 'stopped' && <span>stopped</span>}
      {tokens_used !== null && <span className="num">{formatCount(tokens_used)} tokens</span>}
      {cost !== null && <span className="num">{formatUsd(cost)}</span>}
      {status !== 'pending' && (
        <span className={styles.tools}>
          {content !== '' && <CopyButton text={content} label="Copy answer" />}
          <IconButton
            label="Regenerate answer"
            title="Ask again, with the model that is chosen below; this answer is kept"
            icon={RotateCcw}
            iconSize={14}
            disabled={isBusy}
            onClick={() => actions.regenerate(id)}
          />
        </span>
      )}
    </footer>
  );
}
