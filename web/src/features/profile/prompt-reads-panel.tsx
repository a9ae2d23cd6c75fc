import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../components/ui/failure.tsx';
import { SkeletonLines } from '../../components/ui/skeleton.tsx';
import { Time } from '../../components/ui/time.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatQuantity } from '../../lib/format-number.ts';
import { promptReadsQuery } from './queries.ts';
import styles from './screen.module.css';

/** Other users who have read this user's prompts. */
export function PromptReadsPanel() {
  const answer = useQuery(promptReadsQuery);
  const failure = describeFailure(answer, 'Who read your prompts could not be loaded');
  const { data: reads } = answer;
  return (
    <section className={styles.panel} aria-label="Who read my prompts">
      <h2>Who Read My Prompts</h2>
      {failure && <Failure {...failure} />}
      {!failure && !reads && <SkeletonLines count={2} />}
      {reads?.length === 0 && <p className="quiet">Nobody but you has read your prompts.</p>}
      <ul className={styles.sessions}>
        {reads?.map(({ id, reader_name, read_at, is_list, request_ids }) => (
          <li key={id} className={styles.session}>
            <p>
              {reader_name ?? 'An operator of the platform'} {is_list ? 'was shown a list with' : 'opened'}{' '}
              {formatQuantity(request_ids.length, 'request')} of yours
            </p>
            <span className="quiet">
              <Time value={read_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
