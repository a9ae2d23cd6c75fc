import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../components/ui/failure.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { Time } from '../../components/ui/time.tsx';
import { showError, showSuccess } from '../../components/ui/toasts.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { messageOf } from '../../lib/message-of.ts';
import { sessionsQuery, useEndSession } from './queries.ts';
import styles from './screen.module.css';

/** The user's sessions, which can be ended. */
export function SessionsPanel() {
  const answer = useQuery(sessionsQuery);
  const failure = describeFailure(answer, 'Your sessions could not be loaded');
  const { mutate } = useEndSession();
  const end = (id: string | null) =>
    mutate(id, {
      onSuccess: () => showSuccess(id === null ? 'All other sessions ended' : 'Session ended'),
      onError: (error) => showError(messageOf(error, 'The session could not be ended')),
    });
  const { data: sessions } = answer;
  return (
    <section className={styles.panel} aria-label="Sessions">
      <h2>Sessions</h2>
      {failure && <Failure {...failure} />}
      {!failure && !sessions && <SkeletonLines count={3} />}
      <ul className={styles.sessions}>
        {sessions?.map(({ id, user_agent, address, last_used_at, is_current }) => (
          <li key={id} className={styles.session}>
            <div>
              <p>{user_agent || 'Unknown browser'}</p>
              <p className="quiet">
                {address} · last used <Time value={last_used_at} />
              </p>
            </div>
            {is_current ? (
              <StatusMark kind="ok">This session</StatusMark>
            ) : (
              <Button variant="default" onClick={() => end(id)}>
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions && sessions.length > 1 && (
        <div className={styles.actions}>
          <Button variant="default" onClick={() => end(null)}>
            End all other sessions
          </Button>
        </div>
      )}
    </section>
  );
}
