import { Markdown } from '../../components/ui/markdown.tsx';
import styles from './message.module.css';
import type { LiveTurn } from './use-answer.ts';

/** Message just sent by this page, and its answer so far. */
export function LiveMessages({ live: { question, images, text } }: { live: LiveTurn }) {
  return (
    <>
      {question !== null && (
        <div className={styles.asked}>
          {images.length > 0 && (
            <span className={styles.images}>
              {images.map(({ url, body: { name } }) => (
                <img key={url} className={styles.image} src={url} alt={name} />
              ))}
            </span>
          )}
          <p className={styles.question}>{question}</p>
        </div>
      )}
      <article className={styles.answer} aria-busy="true">
        <Markdown text={text} isGrowing />
        <footer className={styles.facts}>writing</footer>
      </article>
    </>
  );
}
