import type { PolicyReplay } from '@sluice/contract';
import { Link } from '@tanstack/react-router';
import { PanelList } from '#components/ui/panel-list.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { formatQuantity, formatScore } from '#lib/format-number.ts';
import { formatShortTime } from '#lib/format-time.ts';
import styles from './policy-replay.module.css';

interface ReplayResultProps {
  replay: PolicyReplay;
  /** In milliseconds. */
  sinceMs: number;
  /** Whether the form has changed since the replay. */
  isOutdated: boolean;
}

export function ReplayResult({ replay: { requests, people }, sinceMs, isOutdated }: ReplayResultProps) {
  const blockedCount = people.filter(({ blocked }) => blocked !== null).length;
  return (
    <div className={isOutdated ? styles.outdated : undefined}>
      {isOutdated && <p className={`quiet ${styles.note}`}>The policy has changed. Test it again.</p>}
      <p>
        Tested <strong className="num">{formatQuantity(requests, 'request')}</strong> since{' '}
        <span className="num">{formatShortTime(sinceMs)}</span>, including refused requests. The policy would
        have {people.length === 0 ? 'warned no users.' : 'warned '}
        {people.length > 0 && (
          <>
            <strong className="num">{formatQuantity(people.length, 'user')}</strong> and blocked{' '}
            <strong className="num">
              {blockedCount === 0 ? 'no users' : formatQuantity(blockedCount, 'user')}
            </strong>
            .
          </>
        )}
      </p>
      {people.length > 0 && (
        <div className={styles.people}>
          <PanelList label="Users affected by the policy" items={people} noun="users">
            {(person) => <MetPerson key={person.user_id} person={person} />}
          </PanelList>
        </div>
      )}
    </div>
  );
}

function MetPerson({ person }: { person: PolicyReplay['people'][number] }) {
  const { user_name, user_email, requests, highest_score, warned, blocked } = person;
  return (
    <li>
      <div className={styles.who}>
        <strong>{user_name || user_email}</strong>
        <span className="num quiet">
          {formatQuantity(requests, 'request')}, highest score {formatScore(highest_score)}
        </span>
      </div>
      <div className={`num ${styles.crossings}`}>
        <Crossing kind="warn" word="Warned" crossing={warned} />
        {blocked && <Crossing kind="bad" word="Blocked" crossing={blocked} />}
      </div>
    </li>
  );
}

interface CrossingProps {
  kind: 'warn' | 'bad';
  word: string;
  crossing: PolicyReplay['people'][number]['warned'];
}

function Crossing({ kind, word, crossing: { request_id, timestamp, score } }: CrossingProps) {
  return (
    <div>
      <StatusMark kind={kind}>
        {word} at {formatScore(score)} by{' '}
        <Link to="/admin/logs" search={{ open: request_id }}>
          the request of {formatShortTime(timestamp)}
        </Link>
      </StatusMark>
    </div>
  );
}
