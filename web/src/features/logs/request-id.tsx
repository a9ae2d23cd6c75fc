import styles from './request-id.module.css';

const shownCharacters = 8;

/** End of a request id, which differs between rows. The full id is in the tooltip, the accessible name and the copy button. */
export function RequestId({ id }: { id: string }) {
  return (
    <code className={styles.id} title={id}>
      <span className="visually-hidden">{id.slice(0, -shownCharacters)}</span>
      <span aria-hidden="true">…</span>
      {id.slice(-shownCharacters)}
    </code>
  );
}
