// Recognises maps, bytes and buffers by their internal slots, whatever realm made them: under jest and in a vm or an
// iframe an array of bytes is not an instance of this realm's Uint8Array. No object can imitate an internal slot.

const getter = (owner: object, name: PropertyKey) => Object.getOwnPropertyDescriptor(owner, name)!.get!;

const TYPED_ARRAY = Object.getPrototypeOf(Uint8Array.prototype) as object;
const tagOf = getter(TYPED_ARRAY, Symbol.toStringTag); // undefined for what is not a typed array
const viewedBuffer = getter(TYPED_ARRAY, "buffer");
const viewedOffset = getter(TYPED_ARRAY, "byteOffset");
const viewedLength = getter(TYPED_ARRAY, "byteLength");
const bufferLength = getter(ArrayBuffer.prototype, "byteLength");
const mapSize = getter(Map.prototype, "size");

/** Whether a value is a Map. */
export function isMap(value: unknown): value is ReadonlyMap<unknown, unknown> {
  // The tag is asked first, since a brand that is missing takes an exception to see.
  const tagged =
    typeof value === "object" && value !== null && Object.prototype.toString.call(value) === "[object Map]";
  return tagged && has(mapSize, value);
}

/** The members of a Map. */
export function entriesOf(map: ReadonlyMap<unknown, unknown>): Iterable<[unknown, unknown]> {
  return Map.prototype.entries.call(map);
}

/** The bytes of a Uint8Array (a Buffer is one), not copied; undefined for anything else. */
export function bytesOfArray(value: unknown): Uint8Array | undefined {
  if (tagOf.call(value) !== "Uint8Array") return undefined;
  return unshared(viewedBuffer.call(value), viewedOffset.call(value) as number, viewedLength.call(value) as number);
}

/** The bytes of a view or of a buffer, not copied; undefined for anything else. */
export function bytesIn(value: unknown): Uint8Array | undefined {
  if (tagOf.call(value) !== undefined) {
    return unshared(viewedBuffer.call(value), viewedOffset.call(value) as number, viewedLength.call(value) as number);
  }
  if (ArrayBuffer.isView(value)) return unshared(value.buffer, value.byteOffset, value.byteLength);
  return has(bufferLength, value) ? new Uint8Array(value as ArrayBuffer) : undefined;
}

/** A view of bytes; a copy where another thread could change them while they are read. */
function unshared(buffer: unknown, offset: number, length: number): Uint8Array {
  const view = new Uint8Array(buffer as ArrayBuffer, offset, length);
  return has(bufferLength, buffer) ? view : view.slice();
}

function has(brand: () => unknown, value: unknown): boolean {
  try {
    brand.call(value);
    return true;
  } catch {
    return false;
  }
}
