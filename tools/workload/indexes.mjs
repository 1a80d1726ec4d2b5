// @ts-check
/** Six static indexes over the users, from light to heavy, each of a different kind. */

/** @typedef {import('../ravendb/client.mjs').IndexDefinition} IndexDefinition */

/** Name of the users' time series. */
export const SERIES = 'HeartRate'

/** @type {readonly IndexDefinition[]} */
export const INDEXES = [
  {
    // Map: light. The slash becomes `_` in the name of its storage environment.
    Name: 'Users/ByName',
    Maps: ['from user in docs.Users select new { user.Name, user.Email, City = user.Address.City }'],
  },
  {
    // Full text: analysed words.
    Name: 'Users/Search',
    Maps: ['from user in docs.Users select new { user.About, user.Interests }'],
    Fields: { About: { Indexing: 'Search' }, Interests: { Indexing: 'Search' } },
  },
  {
    // map-reduce
    Name: 'Users/SpendingByCountry',
    Maps: [
      'from user in docs.Users select new { Country = user.Address.Country, City = user.Address.City, Users = 1, Spent = user.Spent }',
    ],
    Reduce:
      'from result in results group result by new { result.Country, result.City } into g select new { Country = g.Key.Country, City = g.Key.City, Users = g.Sum(x => x.Users), Spent = g.Sum(x => x.Spent) }',
  },
  {
    // Fan-out: several entries per document.
    Name: 'Users/Purchases',
    Maps: [
      'from user in docs.Users from purchase in user.Purchases select new { user.Name, purchase.Product, purchase.Price, purchase.Quantity, purchase.At }',
    ],
  },
  {
    // Spatial: many terms per point.
    Name: 'Users/Nearby',
    Maps: [
      'from user in docs.Users select new { user.Name, Place = CreateSpatialField(user.Address.Location.Latitude, user.Address.Location.Longitude) }',
    ],
  },
  {
    // time series
    Name: 'Users/HeartRate',
    Maps: [
      `from segment in timeSeries.Users.${SERIES} from entry in segment.Entries select new { Rate = entry.Values[0], Date = entry.Timestamp.Date, User = segment.DocumentId }`,
    ],
  },
]
