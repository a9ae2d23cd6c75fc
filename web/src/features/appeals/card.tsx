import type { Appeal } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import { AppealDecision } from './decision.tsx';
import styles from './list.module.css';
import { ReopenButton } from './reopen-button.tsx';

const marks = {
  open: { kind: 'pending', word: 'Open' },
  granted: { kind: 'ok', word: 'Granted' },
  denied: { kind: 'bad', word: 'Denied' },
} as const;

/** One appeal against a block. */
export function AppealCard({ appeal }: { appeal: Appeal }) {
  const { user_id, user_name, user_email, status, message, created_at, block, note, decided_at } = appeal;
  const { kind, word } = marks[status];
  return (
    <li className={styles.appeal} aria-label={`Appeal of ${user_name}`}>
      <div className={styles.head}>
        <div className={styles.person}>
          <Link to="/admin/users" search={{ open: String(user_id) }}>
            {user_name}
          </Link>
          <span className="quiet">{user_email}</span>
        </div>
        <span>
          <StatusMark kind={kind}>{word}</StatusMark> <Time value={created_at} />
        </span>
      </div>
      <blockquote className={styles.message}>{message}</blockquote>
      <BlockFacts block={block} />
      {status === 'open' ? (
        <AppealDecision appeal={appeal} />
      ) : (
        <div className={styles.decided}>
          <p className="quiet">
            {word} {decided_at !== null && <Time value={decided_at} />}: {note}
          </p>
          {status === 'denied' && <ReopenButton appeal={appeal} />}
        </div>
      )}
    </li>
  );
}

function BlockFacts({ block }: Pick<Appeal, 'block'>) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Blocked because</dt>
        <dd>{block.reason}</dd>
      </div>
      <div>
        <dt>Score</dt>
        <dd className="num">{block.score.toFixed(2)}</dd>
      </div>
      <div>
        <dt>Blocked</dt>
        <dd>
          <Time value={block.created_at} />
          {block.request_id !== null && (
            <>
              {' by '}
              <Link to="/admin/logs" search={{ open: block.request_id }}>
                this request
              </Link>
            </>
          )}
        </dd>
      </div>
    </dl>
  );
}
