import { lazyFile, lazyPart } from '../../lib/lazy-part.tsx';
import { usePreload } from '../../lib/use-preload.ts';
import type { PickerOfferProps } from './picker-offer.tsx';

const loadOffer = lazyFile(() => import('./picker-offer.tsx'));
const PickerOffer = lazyPart(loadOffer, 'PickerOffer');

/** What a picker offers while it is open; stands beside its field, and no first load carries it. */
export function PickerList(props: PickerOfferProps) {
  usePreload(loadOffer);
  return props.picker.isOpen && <PickerOffer {...props} />;
}
