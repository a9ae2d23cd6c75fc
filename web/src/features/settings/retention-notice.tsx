import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { formatFullTime } from '../../lib/format-time.ts';
import { describeRetention } from './describe-retention.ts';
import styles from './form.module.css';
import { retentionPreviewQuery } from './queries.ts';

const pauseMs = 300;

interface RetentionNoticeProps {
  rowDays: number;
  bodyDays: number;
  timeZone: string;
  isValid: boolean;
}

/** Notice of what the entered retention would delete, and when. */
export function RetentionNotice({ rowDays, bodyDays, timeZone, isValid }: RetentionNoticeProps) {
  const [days] = useDebouncedValue(`${rowDays} ${bodyDays}`, pauseMs);
  const [rows = 0, bodies = 0] = days.split(' ').map(Number);
  const isSettled = rows === rowDays && bodies === bodyDays;
  const { data: preview, isError } = useQuery({
    ...retentionPreviewQuery(rows, bodies),
    placeholderData: keepPreviousData,
    enabled: isValid && isSettled && rows > 0,
  });
  return (
    <p className={styles.text} role="status" aria-label="What is deleted" aria-busy={!isSettled}>
      {isError && 'It could not be counted what these days would delete.'}
      {!isError && isValid && preview && isSettled && (
        <>
          {describeRetention(preview, { rows, bodies })}{' '}
          <span className="num">Next run: {formatFullTime(preview.runs_at, timeZone)}.</span>
        </>
      )}
    </p>
  );
}
