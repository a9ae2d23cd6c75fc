import type { ChatMessage } from '@sluice/contract';
import { memo } from 'react';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { InertMarkdown } from '../../components/ui/inert-markdown.tsx';
import { formatUsd } from '../../lib/format-money.ts';
import { formatCount } from '../../lib/format-number.ts';
import styles from './message.module.css';

type Shown = Pick<
  ChatMessage,
  'content' | 'is_user' | 'status' | 'error_message' | 'model' | 'tokens_used' | 'cost'
>;

/** A message; it is drawn anew only when it has changed. */
export const Message = memo(function Message({ message }: { message: Shown }) {
  if (message.is_user) return <p className={styles.question}>{message.content}</p>;
  return (
    <article className={styles.answer} aria-busy={message.status === 'pending'}>
      <InertMarkdown text={message.content} />
      {message.status === 'failed' && <p className={styles.problem}>{message.error_message}</p>}
      <MessageFacts message={message} />
    </article>
  );
});

function MessageFacts({ message: { status, model, tokens_used, cost, content } }: { message: Shown }) {
  return (
    <footer className={styles.facts}>
      {model !== null && <span>{model}</span>}
      {status === 'pending' && <span>writing</span>}
      {status === 'stopped' && <span>stopped</span>}
      {tokens_used !== null && <span className="num">{formatCount(tokens_used)} tokens</span>}
      {cost !== null && <span className="num">{formatUsd(cost)}</span>}
      {status !== 'pending' && content !== '' && <CopyButton text={content} label="Copy answer" />}
    </footer>
  );
}
