import { X } from 'lucide-react';
import { IconButton } from '../../components/ui/icon-button.tsx';
import styles from './composer.module.css';
import type { AttachedImage } from './image-files.ts';

interface AttachedImagesProps {
  images: readonly AttachedImage[];
  onRemove: (image: AttachedImage) => void;
}

/** Pictures attached to the next message. */
export function AttachedImages({ images, onRemove }: AttachedImagesProps) {
  if (images.length === 0) return null;
  return (
    <ul className={styles.images} aria-label="Attached pictures">
      {images.map((image) => (
        <li key={image.url} className={styles.image}>
          <img src={image.url} alt="" />
          <span className={styles.name}>
            {image.body.name}
            {image.isShrunk && <small>shrunk</small>}
          </span>
          <IconButton label={`Remove ${image.body.name}`} icon={X} onClick={() => onRemove(image)} />
        </li>
      ))}
    </ul>
  );
}
