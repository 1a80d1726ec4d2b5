// @ts-check
/** Six static indexes over the users, from light to heavy, each of another kind. */

/** @typedef {import('../ravendb/client.mjs').IndexDefinition} IndexDefinition */

/** The time series that the users carry. */
export const SERIES = 'HeartRate'

/** @type {readonly IndexDefinition[]} */
export const INDEXES = [
  {
    // map: light. The slash becomes `_` in the name of its storage environment
    Name: 'Users/ByName',
    Maps: ['from user in docs.Users select new { user.Name, user.Email, City = user.Address.City }'],
  },
  {
    // full text: analysed words
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
    // fan-out: several entries for each document
    Name: 'Users/Purchases',
    Maps: [
      'from user in docs.Users from purchase in user.Purchases select new { user.Name, purchase.Product, purchase.Price, purchase.Quantity, purchase.At }',
    ],
  },
  {
    // spatial: many terms for each point
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
