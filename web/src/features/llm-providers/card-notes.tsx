import type { LlmProvider } from '@sluice/contract';
import { StatusMark } from '../../components/ui/status-mark.tsx';
import { formatRelative } from '../../lib/format-age.ts';
import { formatShortTime } from '../../lib/format-time.ts';
import styles from './card.module.css';

/** Notes on an instance: maintenance, and a previous key that is still valid. */
export function CardNotes({
  maintenance,
  overlap,
  nowMs,
}: {
  maintenance: LlmProvider['maintenance'];
  overlap: LlmProvider['key_overlap'];
  nowMs: number;
}) {
  if (!maintenance && !overlap) return null;
  return (
    <div className={styles.notes}>
      {maintenance && (
        <p>
          {maintenance.reason && <>{maintenance.reason}. </>}
          <span className="quiet">
            Takes no new requests since {formatShortTime(maintenance.since)}
            {maintenance.until ? `, until ${formatShortTime(maintenance.until)}` : ''}.
          </span>
        </p>
      )}
      {overlap && <KeyOverlap {...overlap} nowMs={nowMs} />}
    </div>
  );
}

function KeyOverlap({
  ends_at,
  new_key_refused_at,
  nowMs,
}: NonNullable<LlmProvider['key_overlap']> & { nowMs: number }) {
  const end = formatShortTime(ends_at);
  if (new_key_refused_at === null)
    return (
      <p className="quiet">The former key stands in for the new one until {end}, should it be refused.</p>
    );
  return (
    <div>
      <StatusMark kind="bad">
        The provider refused the new key {formatRelative(new_key_refused_at, nowMs)}
      </StatusMark>
      <p>Requests use the former key, which is erased at {end}. Rotate to a key that works before that.</p>
    </div>
  );
}
