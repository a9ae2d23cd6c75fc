import styles from './request-id.module.css';

const shownCharacters = 8;

/** A request's id by its end, which differs from row to row; the whole of it is there to hear, hover and copy. */
export function RequestId({ id }: { id: string }) {
  return (
    <code className={styles.id} title={id}>
      <span className="visually-hidden">{id.slice(0, -shownCharacters)}</span>
      <span aria-hidden="true">…</span>
      {id.slice(-shownCharacters)}
    </code>
  );
}
