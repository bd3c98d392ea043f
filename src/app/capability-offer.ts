type Offer = (capability: object) => void;

/** The host's own method for it, since 3.8; undefined where there is none. */
export function capabilityOffer(plugin: object): Offer | undefined {
  const offer: unknown = Reflect.get(plugin, 'addAgentCapability');
  return typeof offer === 'function' ? (capability) => void Reflect.apply(offer, plugin, [capability]) : undefined;
}
