import type { ChatImage } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import styles from './message.module.css';
import { imageQuery } from './queries.ts';

/** Pictures of a message. */
export function MessageImages({ chatId, images }: { chatId: string; images: readonly ChatImage[] }) {
  if (images.length === 0) return null;
  return (
    <span className={styles.images}>
      {images.map((image) =>
        image.is_kept ? (
          <KeptImage key={image.id} chatId={chatId} image={image} />
        ) : (
          <span key={image.id} className={styles.unkept}>
            {image.name} was sent and not kept, as your organisation wants it
          </span>
        ),
      )}
    </span>
  );
}

function KeptImage({ chatId, image: { id, name } }: { chatId: string; image: ChatImage }) {
  const { data, isError } = useQuery(imageQuery(chatId, id));
  if (isError) return <span className={styles.unkept}>{name} could not be loaded</span>;
  return data ? (
    <img className={styles.image} src={data} alt={name} />
  ) : (
    <span className={styles.image} aria-busy="true" />
  );
}
