import { lazyFile, lazyPart, usePreload } from '#lib/lazy-part.tsx';
import type { PickerOfferProps } from './picker-offer.tsx';

const loadOffer = lazyFile(() => import('./picker-offer.tsx'));
const PickerOffer = lazyPart(loadOffer, 'PickerOffer');

/** List of an open picker. Loaded on first use. */
export function PickerList(props: PickerOfferProps) {
  usePreload(loadOffer);
  return props.picker.isOpen && <PickerOffer {...props} />;
}
